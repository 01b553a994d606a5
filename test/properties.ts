import fc from 'fast-check';

/** `NIGHTLY=1 npm test -- model` draws several times as many cases. */
export const isNightly = Boolean(process.env.NIGHTLY);

/**
 * Properties run from one seed, so that a suite that turns red is about the change and not about
 * the draw.
 * `PROPERTY_SEED=random` looks further, `PROPERTY_SEED=<number>` repeats what such a run has found.
 */
const { PROPERTY_SEED: wanted = '20261121' } = process.env;

if (wanted !== 'random') {
	const seed = Number(wanted);
	if (!Number.isInteger(seed))
		throw new Error('PROPERTY_SEED has to be a whole number or "random".');
	fc.configureGlobal({ seed });
}

/** So that no rule is made for one draw. A seed that is asked for is the only one. */
const SEVERAL = [20_261_121, 20_261_122, 20_261_123];

/** Holds a property against cases drawn from several seeds, which are so many together. */
export async function assertFromSeveralSeeds<Drawn>(
	property: fc.IAsyncProperty<Drawn>,
	numRuns: number,
): Promise<void> {
	const seeds = process.env.PROPERTY_SEED === undefined ? SEVERAL : [fc.readConfigureGlobal().seed];
	for (const seed of seeds) {
		const runs = Math.ceil(numRuns / seeds.length);
		await fc.assert(property, { seed, numRuns: runs });
	}
}

export default fc;
