import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Editor } from './editor';

const ROOT = path.resolve(__dirname, '..', '..', '..');

/** What passes by and would hide what a picture is to show. */
const WITHOUT_NOTICES = '.el-notification { display: none !important; }';

/** Nodes and connections, and nothing of the editor around them. */
const WORKFLOW_ONLY =
	'body { visibility: hidden; } .vue-flow__viewport, marker { visibility: visible; }';

/** The pictures of the documents: replaced by `npm run pictures` only, so that a test leaves the clone as it is. */
export class Pictures {
	private constructor(
		private readonly folder: string,
		private readonly temporary: boolean,
	) {}

	static async open(): Promise<Pictures> {
		// npm names the script it runs.
		if (process.env.npm_lifecycle_event === 'pictures') return new Pictures(ROOT, false);
		return new Pictures(await mkdtemp(path.join(os.tmpdir(), 'visitor-service-pictures-')), true);
	}

	/** @param file its path in the repository; ends in .png */
	async take(subject: Page | Locator, file: string): Promise<void> {
		await subject.screenshot({ path: await this.place(file), style: WITHOUT_NOTICES });
	}

	async takeWorkflow(editor: Editor, file: string): Promise<void> {
		await editor.page.screenshot({
			path: await this.place(file),
			style: WORKFLOW_ONLY,
			clip: await editor.areaOfWorkflow(),
		});
	}

	async close(): Promise<void> {
		if (this.temporary) await rm(this.folder, { recursive: true, force: true });
	}

	private async place(file: string): Promise<string> {
		const picture = path.join(this.folder, file);
		await mkdir(path.dirname(picture), { recursive: true });
		return picture;
	}
}
