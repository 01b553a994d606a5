/** Page Size if it is not set; as the editor shows it. */
export const USUAL_PAGE_SIZE = 100;

/** What tells a page of one size from others. */
export function pageKey(page: number, pageSize: number): string {
	return `${page} of ${pageSize}`;
}
