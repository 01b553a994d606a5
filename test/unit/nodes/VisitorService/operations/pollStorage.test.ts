import { type INodeTypes, Workflow } from 'n8n-workflow';

import {
	type StaticData,
	StoredCursor,
	type WorkflowPlaces,
} from '../../../../../nodes/VisitorService/operations/pollStorage';
import { firstCursor, type PollCursor } from '../../../../../nodes/VisitorService/polling/cursor';

function cursor(time: number): PollCursor {
	return firstCursor('tenant-1', { shown: time, start: time }, time);
}

const nodeTypes: INodeTypes = {
	getByName: () => {
		throw new Error('No node type is needed.');
	},
	getByNameAndVersion: () => {
		throw new Error('No node type is needed.');
	},
	getKnownTypes: () => ({}),
};

/** Static data as n8n hands them out, of a workflow whose node may have got another name since. */
function staticData(
	stored: string,
	name: string,
	id = 'node-1',
): { text: () => string; open: () => StoredCursor } {
	const workflow = new Workflow({
		nodes: [],
		connections: {},
		active: true,
		nodeTypes,
		staticData: JSON.parse(stored) as StaticData as never,
	});
	const node = {
		id,
		name,
		type: 't',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: {},
	};
	return {
		text: () => JSON.stringify(workflow.staticData),
		open: () =>
			new StoredCursor(
				workflow.getStaticData('node', node),
				workflow.getStaticData('global'),
				node.id,
			),
	};
}

describe('the cursor in static data', () => {
	it('refuses a cursor that could not be read again', () => {
		const data = staticData('{}', 'Trigger');
		const unreadable = { ...cursor(1), place: -Infinity };
		expect(() => data.open().write(unreadable)).toThrow('could not be read again');
		expect(data.open().read()).toBeUndefined();
	});

	it('marks static data as changed, so that n8n saves them', () => {
		const workflow = new Workflow({
			nodes: [],
			connections: {},
			active: true,
			nodeTypes,
			staticData: {},
		});
		const node = {
			id: 'n',
			name: 'T',
			type: 't',
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters: {},
		};
		const data = workflow.getStaticData('node', node);
		new StoredCursor(data, workflow.getStaticData('global'), node.id).write(cursor(1));
		workflow.staticData.__dataChanged = false;
		new StoredCursor(data, workflow.getStaticData('global'), node.id).write(cursor(2));
		expect(workflow.staticData.__dataChanged).toBe(true);
	});

	it('the cursor in static data is not that of another node, even if nodes exchange their names', () => {
		const one = staticData('{}', 'One', 'node-1');
		one.open().write(cursor(1));
		const two = staticData(one.text(), 'Two', 'node-2');
		expect(two.open().read()).toBeUndefined();
		two.open().write(cursor(2));
		expect(staticData(two.text(), 'Two', 'node-1').open().read()).toEqual(cursor(1));
		expect(staticData(two.text(), 'One', 'node-2').open().read()).toEqual(cursor(2));
	});

	it('takes over the cursor that was stored by the name of the node', () => {
		const stored = JSON.stringify({ 'node:Trigger': { cursor: cursor(1) } });
		expect(staticData(stored, 'Trigger').open().read()).toEqual(cursor(1));
	});

	it('leaves the cursor to n8n alone if cursors are durable, because n8n knows the node by its ID', () => {
		const snapshot = { cursor: cursor(1) };
		const ofWorkflow = {};
		const stored = new StoredCursor(snapshot, ofWorkflow, 'node-1');
		expect(stored.read()).toEqual(cursor(1));
		stored.write(cursor(2));
		expect(snapshot).toEqual({ cursor: cursor(2) });
		expect(ofWorkflow).toEqual({});
	});
});

describe('two polling triggers in one workflow', () => {
	/** Static data of a trigger that n8n published alone, so that they are those of no other. */
	function published(stored: string, id: string, places: WorkflowPlaces) {
		const data: StaticData = JSON.parse(stored) as StaticData;
		const global = (data.global ?? {}) as StaticData;
		const open = () => new StoredCursor({ __dataChanged: false }, global, id, places);
		return { open, text: () => JSON.stringify({ global }) };
	}

	it('saves the newest place of the other trigger with its own', () => {
		const places = new Map<string, unknown>();
		const one = published('{}', 'node-1', places);
		one.open().write(cursor(1));
		const two = published(one.text(), 'node-2', places);
		one.open().write(cursor(2));
		two.open().write(cursor(1));
		const next = new Map<string, unknown>();
		expect(published(two.text(), 'node-1', next).open().read()).toEqual(cursor(2));
		expect(published(two.text(), 'node-2', next).open().read()).toEqual(cursor(1));
	});

	it('saves the place that the other trigger began with, if that did not move', () => {
		const places = new Map<string, unknown>();
		const before = published('{}', 'node-1', new Map<string, unknown>());
		before.open().write(cursor(1));
		const two = published('{}', 'node-2', places);
		published(before.text(), 'node-1', places).open();
		two.open().write(cursor(2));
		expect(published(two.text(), 'node-1', new Map<string, unknown>()).open().read()).toEqual(
			cursor(1),
		);
	});

	it('saves no earlier place of the other trigger, if that moved back since', () => {
		const places = new Map<string, unknown>();
		const before = published('{}', 'node-1', new Map<string, unknown>());
		before.open().write(cursor(3));
		const one = published(before.text(), 'node-1', places);
		const two = published(before.text(), 'node-2', places);
		one.open().write(cursor(2));
		two.open().write(cursor(1));
		expect(published(two.text(), 'node-1', new Map<string, unknown>()).open().read()).toEqual(
			cursor(2),
		);
	});

	it('lets no poll seem overtaken because another trigger of the workflow stores its place', () => {
		const places = new Map<string, unknown>();
		const shared: StaticData = {};
		const open = (id: string) => new StoredCursor({ __dataChanged: false }, shared, id, places);
		open('node-1').write(cursor(1));
		const slow = open('node-1');
		open('node-2').write(cursor(2));
		expect(slow.isOvertaken).toBe(false);
	});

	/**
	 * Both triggers in static data that n8n saves without waiting for an earlier save (1.123.81,
	 * 2.41.1).
	 */
	function savedAtOnce() {
		const workflow = new Workflow({ nodes: [], connections: {}, active: true, nodeTypes });
		const places = new Map<string, unknown>();
		const database = { text: '{}' };
		const open = (id: string) => {
			const global = workflow.getStaticData('global');
			return new StoredCursor({ __dataChanged: false }, global, id, places);
		};
		return {
			/**
			 * @returns what n8n's database does whenever it comes to it; undefined if n8n saves nothing
			 */
			returns(id: string, time: number): (() => void) | undefined {
				open(id).write(cursor(time));
				if (workflow.staticData.__dataChanged !== true) return undefined;
				const text = JSON.stringify(workflow.staticData);
				return () => {
					database.text = text;
					workflow.staticData.__dataChanged = false;
				};
			},
			readAfterRestart(id: string) {
				return published(database.text, id, new Map<string, unknown>()).open().read();
			},
		};
	}

	it('saves the places of both that return at once, although an earlier save ends after the later place was written', () => {
		const both = savedAtOnce();
		both.returns('node-1', 1)?.();
		both.returns('node-2', 1)?.();
		const first = both.returns('node-1', 2);
		const second = both.returns('node-2', 2);
		first?.();
		second?.();
		expect(both.readAfterRestart('node-1')).toEqual(cursor(2));
		expect(both.readAfterRestart('node-2')).toEqual(cursor(2));
	});

	it('sets back only the trigger that returned last if n8n carries out the saves of both in the wrong order, until one returns again', () => {
		const both = savedAtOnce();
		both.returns('node-1', 1)?.();
		both.returns('node-2', 1)?.();
		const first = both.returns('node-1', 2);
		const second = both.returns('node-2', 2);
		second?.();
		first?.();
		expect(both.readAfterRestart('node-1')).toEqual(cursor(2));
		expect(both.readAfterRestart('node-2')).toEqual(cursor(1));
		both.returns('node-1', 3)?.();
		expect(both.readAfterRestart('node-2')).toEqual(cursor(2));
	});
});
