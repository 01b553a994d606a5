import { AUTOMATIC_PAGE_SIZE } from '../../nodes/VisitorService/listing/largerPage';

/** Tries small pages as long as something is done; without a maximum, those of the node. */
export async function withAutomaticPageSize<T>(
	{ first, max }: { first: number; max?: number },
	work: () => Promise<T>,
): Promise<T> {
	if (max === undefined) return await work();
	const usual = { ...AUTOMATIC_PAGE_SIZE };
	Object.assign(AUTOMATIC_PAGE_SIZE, { first, max });
	return await work().finally(() => Object.assign(AUTOMATIC_PAGE_SIZE, usual));
}
