import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Editor } from './editor';
import { SHOWN_TEXTS, type ShownTexts, textsIn, textsOfToday } from './shownTexts';

const ROOT = path.resolve(__dirname, '..', '..', '..');

/** What passes by and would hide what a picture is to show. */
const WITHOUT_NOTICES =
	'.el-notification, .el-popper, [data-reka-popper-content-wrapper] { display: none !important; }';

/** Nodes and connections, and nothing of the editor around them. */
const WORKFLOW_ONLY =
	'body { visibility: hidden; } .vue-flow__viewport, marker { visibility: visible; }';

/**
 * The pictures of the documents: replaced by `UPDATE_PICTURES=1 npm test -- browser` only, so that
 * a test leaves the clone as it is.
 */
export class Pictures {
	private constructor(
		private readonly folder: string,
		private readonly temporary: boolean,
		private readonly texts = textsOfToday(),
	) {}

	private readonly shown: ShownTexts = {};

	static async open(): Promise<Pictures> {
		if (process.env.UPDATE_PICTURES === '1') return new Pictures(ROOT, false);
		return new Pictures(await mkdtemp(path.join(os.tmpdir(), 'visitor-service-pictures-')), true);
	}

	/** @param file its path in the repository; ends in .png */
	async take(subject: Page | Locator, file: string): Promise<void> {
		await subject.screenshot({ path: await this.pathFor(file), style: WITHOUT_NOTICES });
		const page = 'mainFrame' in subject ? subject.locator('body') : subject;
		await this.note(page, file);
	}

	async takeWorkflow(editor: Editor, file: string): Promise<void> {
		await editor.page.screenshot({
			path: await this.pathFor(file),
			style: WORKFLOW_ONLY,
			clip: await editor.areaOfWorkflow(),
		});
		await this.note(editor.page.locator('.vue-flow__viewport'), file);
	}

	async close(): Promise<void> {
		if (this.temporary) {
			await rm(this.folder, { recursive: true, force: true });
			return;
		}
		const before = JSON.parse(await readFile(SHOWN_TEXTS, 'utf8')) as ShownTexts;
		const shown = Object.entries({ ...before, ...this.shown }).filter(([file]) =>
			existsSync(path.join(ROOT, file)),
		);
		const inOrder = Object.fromEntries(shown.sort(([one], [other]) => (one < other ? -1 : 1)));
		await writeFile(SHOWN_TEXTS, `${JSON.stringify(inOrder, undefined, '\t')}\n`);
	}

	/**
	 * What a picture shows, so that a test can tell when it is out of date. What is typed into fields
	 * is not a text.
	 */
	private async note(subject: Locator, file: string): Promise<void> {
		this.shown[file] = textsIn(await subject.innerText(), this.texts);
	}

	private async pathFor(file: string): Promise<string> {
		const picture = path.join(this.folder, file);
		await mkdir(path.dirname(picture), { recursive: true });
		return picture;
	}
}
