import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	chromium,
	type Page,
	selectors,
} from 'playwright-core';
import { TEST_OWNER } from '../../n8n/n8nClient';
import { findChromium } from '../../requirements.cjs';
import { Editor, PATIENCE_MS } from './editor';

const CHROMIUM_ARGUMENTS = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// The editor looks community packages up at npm. Nothing here may call out.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** A page that stands still can be clicked at once, and looks the same in each picture. */
const STAND_STILL = `document.addEventListener('DOMContentLoaded', () => {
	const style = document.createElement('style');
	style.textContent =
		'*, *::before, *::after { transition: none !important; animation: none !important; caret-color: transparent !important; }';
	document.head.append(style);
});`;

type Appearance = Pick<BrowserContextOptions, 'colorScheme' | 'viewport'>;
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A Chromium in which the owner of an n8n has signed in. */
export class EditorSessions {
	/** By their appearance. What one has loaded of the editor, it does not load again. */
	private readonly contexts = new Map<string, BrowserContext>();

	private constructor(
		private readonly browser: Browser,
		private readonly n8nUrl: string,
		private readonly signedIn: StorageState,
	) {}

	static async start(n8nUrl: string): Promise<EditorSessions> {
		selectors.setTestIdAttribute('data-test-id');
		const browser = await chromium.launch({
			executablePath: findChromium(),
			// It shows nothing but an n8n of this machine, and as root its sandbox does not start.
			chromiumSandbox: false,
			args: CHROMIUM_ARGUMENTS,
		});
		try {
			const context = await browser.newContext();
			context.setDefaultTimeout(PATIENCE_MS);
			await new Editor(await context.newPage(), n8nUrl).signIn(TEST_OWNER);
			// n8n lets a person sign in only a few times in five minutes.
			const signedIn = await context.storageState();
			await context.close();
			return new EditorSessions(browser, n8nUrl, signedIn);
		} catch (error) {
			await browser.close();
			throw error;
		}
	}

	/**
	 * Works in an editor that has nothing in its memory. If the work fails, the error says where a
	 * picture of the page is.
	 */
	async use(work: (editor: Editor) => Promise<void>, appearance: Appearance = {}): Promise<void> {
		const context = await this.contextWith(appearance);
		const page = await context.newPage();
		try {
			await work(new Editor(page, this.n8nUrl)).catch(async (error: unknown) => {
				const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-browser-'));
				const picture = path.join(folder, 'failed.png');
				const shown = await page.screenshot({ path: picture }).then(
					() => picture,
					() => 'nothing, for its page was gone',
				);
				if (error instanceof Error) error.message += `\nWhat the browser showed: ${shown}`;
				throw error;
			});
		} finally {
			await this.forget(page);
			await page.close();
		}
	}

	private async contextWith(appearance: Appearance): Promise<BrowserContext> {
		const key = JSON.stringify(appearance);
		const opened = this.contexts.get(key);
		if (opened !== undefined) return opened;
		const context = await this.browser.newContext({
			storageState: this.signedIn,
			colorScheme: 'light',
			viewport: { width: 1600, height: 1000 },
			locale: 'en-US',
			permissions: ['clipboard-read', 'clipboard-write'],
			...appearance,
		});
		context.setDefaultTimeout(PATIENCE_MS);
		await context.addInitScript({ content: STAND_STILL });
		this.contexts.set(key, context);
		return context;
	}

	/** Leaves in the memory of the editor what signing in did. */
	private async forget(page: Page): Promise<void> {
		// A page without it has no memory.
		if (!page.url().startsWith(this.n8nUrl)) return;
		const items = this.signedIn.origins.flatMap(({ localStorage }) => localStorage);
		await page.evaluate(`localStorage.clear();
			for (const { name, value } of ${JSON.stringify(items)}) localStorage.setItem(name, value);`);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}
}
