import { AUTOMATIC_PAGE_SIZE } from '../../nodes/VisitorService/listing/largerPage';

/** Automatic page sizes that suit short lists, as long as something is done. */
export async function withAutomaticPageSize<T>(
	sizes: typeof AUTOMATIC_PAGE_SIZE,
	work: () => Promise<T>,
): Promise<T> {
	const usual = { ...AUTOMATIC_PAGE_SIZE };
	Object.assign(AUTOMATIC_PAGE_SIZE, sizes);
	return await work().finally(() => Object.assign(AUTOMATIC_PAGE_SIZE, usual));
}
