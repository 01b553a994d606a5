/** As shells report a program that Ctrl-C has ended: 128 + SIGINT. */
export const EXIT_CODE_INTERRUPTED = 130;

/** Resolves when somebody ends this program, which then has to end by itself. */
export async function interruption(): Promise<'interrupted'> {
	return await new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.on(signal, () => resolve('interrupted'));
		}
	});
}
