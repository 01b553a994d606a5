/** A page with records, by what tells whether it is a new one. */
export interface ComparedPage {
	/** Records that came for the first, and for a further time in this sweep. */
	fresh: number;
	repeated: number;
	/** Equal for pages that hold the same records. */
	fingerprint: string;
	/** Whether it held fewer records than a full page. */
	isShort: boolean;
	/** Whether only pages without records came before. */
	followsEmpty: boolean;
}

/** What the repetition of records says about the list. */
export type Repetition =
	| 'none'
	/** The last page came again: the service has no page behind it. */
	| 'lastPage'
	/** Only the first page ever came. */
	| 'samePage';

/** Pages in a row without a new record after which the list is not waited for any longer. */
const MOST_REPEATED = 10;
/** Identical pages in a row that are no accident. */
const IDENTICAL = 3;

/** Follows how records repeat: by chance in a list that moves, or because the service has no other page. */
export class RepeatedPages {
	/** Records that came more than once, without the pages that were only repeated at the end. */
	duplicates = 0;

	/** 1 where the service counts pages from 1 and takes page 0 for page 1. */
	numberingShift = 0;

	/** Pages without a new record since the last one with some. */
	inARow = 0;

	/** What may prove to be the shift, as far as the pages go: the second was the first once more. */
	get likelyShift(): number {
		return this.pagesWithFresh === 1 && this.inARow > 0 ? 1 : this.numberingShift;
	}

	private recordsInARow = 0;

	private identicalInARow = 1;

	private lastFingerprint?: string;

	private pagesWithFresh = 0;

	take(page: ComparedPage): Repetition {
		const isIdentical = page.fingerprint === this.lastFingerprint;
		this.identicalInARow = isIdentical ? this.identicalInARow + 1 : 1;
		this.lastFingerprint = page.fingerprint;
		return page.fresh > 0 ? this.takeFresh(page) : this.takeRepeated(page);
	}

	private takeFresh({ repeated, followsEmpty }: ComparedPage): Repetition {
		const firstCameTwice = this.pagesWithFresh === 1 && this.inARow === 1;
		if (firstCameTwice || (this.pagesWithFresh === 0 && followsEmpty)) this.numberingShift = 1;
		else this.duplicates += this.recordsInARow;
		this.duplicates += repeated;
		this.recordsInARow = 0;
		this.inARow = 0;
		this.pagesWithFresh++;
		// Without ids all records are fresh, the same ones again included.
		return this.identicalInARow >= IDENTICAL ? 'samePage' : 'none';
	}

	private takeRepeated({ repeated, isShort }: ComparedPage): Repetition {
		this.inARow++;
		this.recordsInARow += repeated;
		// A second page like the first may come from a service that counts from 1; a third one does not.
		if (this.pagesWithFresh === 1) return this.inARow > 1 ? 'samePage' : 'none';
		// A full page may also come twice because the list grew by so many records meanwhile.
		const isLastAgain = this.identicalInARow >= (isShort ? 2 : IDENTICAL);
		return isLastAgain || this.inARow >= MOST_REPEATED ? 'lastPage' : 'none';
	}
}
