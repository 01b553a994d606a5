/** Page Size if it is not set; as the editor shows it. */
export const USUAL_PAGE_SIZE = 100;
