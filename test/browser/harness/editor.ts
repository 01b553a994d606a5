import type { Locator, Page } from 'playwright-core';
import type { Owner, StoredWorkflow } from '../../n8n/n8nClient';
import { waitFor } from '../../n8n/waitFor';

/** Long enough for a busy machine; a test waits for what it wants to see and no longer. */
export const PATIENCE_MS = 30_000;

/**
 * Pixels around the nodes of a workflow: what is written, and where they can be connected, is
 * outside of them.
 */
const MARGIN = { top: 20, right: 90, bottom: 90, left: 60 };

/** Pixels. Farther, and what is left of the parameters would be cut off. */
const MOVED_LEFT = 300;

interface Area {
	x: number;
	y: number;
	width: number;
	height: number;
}

/**
 * n8n's editor as a person uses it. What is clicked is found by n8n's own test ids, or by what is
 * written on it.
 */
export class Editor {
	/** Where nodes are searched for and taken from. */
	readonly nodeCreator: Locator;

	/** The opened node. */
	readonly node: Locator;

	readonly output: Locator;

	readonly credentialDialog: Locator;

	constructor(
		readonly page: Page,
		private readonly n8nUrl: string,
	) {
		this.nodeCreator = page.getByTestId('node-creator');
		this.node = page.getByTestId('ndv');
		this.output = page.getByTestId('output-panel');
		this.credentialDialog = page.getByTestId('editCredential-modal');
	}

	async signIn({ email, password }: Owner): Promise<void> {
		await this.page.goto(`${this.n8nUrl}/signin`);
		await this.page.getByRole('textbox', { name: 'Email' }).fill(email);
		await this.page.getByRole('textbox', { name: 'Password' }).fill(password);
		await this.page.getByRole('button', { name: 'Sign in' }).click();
		await this.page.getByTestId('main-sidebar-settings').waitFor();
	}

	async openNewWorkflow(): Promise<void> {
		await this.page.goto(`${this.n8nUrl}/workflow/new`);
		await this.page.getByTestId('canvas-add-button').waitFor();
	}

	/** Returns when the nodes are shown, with their icons. */
	async openWorkflow({ id, nodes }: StoredWorkflow): Promise<void> {
		await this.page.goto(`${this.n8nUrl}/workflow/${id}`);
		for (const { name, type } of nodes) {
			if (type !== 'n8n-nodes-base.stickyNote') await iconIn(this.onCanvas(name)).waitFor();
		}
	}

	async searchNodes(text: string): Promise<void> {
		await this.page.getByTestId('node-creator-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').fill(text);
	}

	/** A node, a trigger or an action that the node creator shows. */
	offered(name: string): Locator {
		return this.nodeCreator
			.locator('[data-keyboard-nav-type]')
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	onCanvas(name: string): Locator {
		return this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`);
	}

	/** Where on the page the nodes are, with what is written below them. */
	async areaOfWorkflow(): Promise<Area> {
		const boxes: Area[] = [];
		const nodes = this.page.getByTestId('canvas-node').or(this.page.getByTestId('sticky'));
		for (const element of await nodes.all()) {
			const box = await element.boundingBox();
			if (box) boxes.push(box);
		}
		const x = Math.min(...boxes.map((box) => box.x)) - MARGIN.left;
		const y = Math.min(...boxes.map((box) => box.y)) - MARGIN.top;
		const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN.right;
		const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN.bottom;
		return { x, y, width: right - x, height: bottom - y };
	}

	async openNode(name: string): Promise<void> {
		await this.onCanvas(name).dblclick();
		await this.node.waitFor();
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.node.waitFor({ state: 'hidden' });
	}

	/** Of the opened node or credential. */
	parameter(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async fillIn(values: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(values)) {
			await this.parameter(name).locator('input').fill(value);
		}
	}

	/** Chooses from a list that the service fills, as soon as it is there. */
	async choose(name: string, value: string): Promise<void> {
		await this.parameter(name).locator('input').first().click();
		await this.page.getByRole('option', { name: value, exact: true }).click();
		// A list of several stays open.
		await this.page.keyboard.press('Escape');
	}

	/** The same for a resource locator. */
	async chooseFromList(name: string, value: string): Promise<void> {
		await this.parameter(name).getByTestId('rlc-input').click();
		await this.page.getByTestId('rlc-item').getByText(value, { exact: true }).click();
	}

	async executeStep(): Promise<void> {
		await this.node.getByTestId('node-execute-button').click();
	}

	/** Again, should the step have begun before n8n had taken over what was typed. */
	async executeStepUntil(shown: Locator): Promise<void> {
		for (let attempts = 1; attempts < 3; attempts++) {
			await this.executeStep();
			const isShown = await shown.waitFor({ timeout: 8_000 }).then(
				() => true,
				() => false,
			);
			if (isShown) return;
		}
		await shown.waitFor();
	}

	/** Moves the parameters to the left, so that the columns of the output are seen. */
	async widenOutput(): Promise<void> {
		const handle = this.page.getByTestId('panel-drag-button');
		const box = await handle.boundingBox();
		if (box === null) throw new Error('The parameters have nothing to be moved by.');
		const { mouse } = this.page;
		const y = box.y + box.height / 2;
		await mouse.move(box.x + box.width / 2, y);
		await mouse.down();
		await mouse.move(box.x - MOVED_LEFT, y, { steps: 10 });
		await mouse.up();
	}

	async showAsJson(): Promise<void> {
		await this.output.getByText('JSON', { exact: true }).click();
	}

	/** Returns when the output has room for all columns of its table, as it has soon after a move. */
	async showsEachColumn(): Promise<void> {
		let cutOff: string[] = [];
		await waitFor(
			() => `The output has no room for ${cutOff.join(', ')}.`,
			PATIENCE_MS,
			async () => {
				cutOff = await this.columnsCutOff();
				return cutOff.length === 0;
			},
		);
	}

	private async columnsCutOff(): Promise<string[]> {
		const panel = await this.output.boundingBox();
		const right = (panel?.x ?? 0) + (panel?.width ?? 0);
		const cutOff: string[] = [];
		for (const column of await this.output.getByRole('columnheader').all()) {
			const box = await column.boundingBox();
			if (box === null || box.x + box.width > right) cutOff.push(await column.innerText());
		}
		return cutOff;
	}

	async saveCredential(): Promise<void> {
		await this.page.getByTestId('credential-save-button').click();
	}

	async copiedText(): Promise<string> {
		// The editor copies some time after the click.
		const text = await this.page.waitForFunction<string>('navigator.clipboard.readText()');
		return await text.jsonValue();
	}
}

/** A picture has no height before it is loaded. */
function iconIn(node: Locator): Locator {
	return node.locator('.n8n-node-icon').locator('img, svg').first();
}
