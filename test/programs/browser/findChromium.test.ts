import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { findChromium } from '../../browser/harness/findChromium';
import { findObstacle } from '../../browser/harness/requirements';

let folder: string;
const at = (name: string) => path.join(folder, name);

beforeEach(() => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'visitor-service-chromium-'));
});

afterEach(() => {
	rmSync(folder, { recursive: true });
});

describe('findChromium', () => {
	it('finds Chromium before Chrome in a folder of the PATH', () => {
		const PATH = [at('nothing'), folder].join(path.delimiter);
		expect(findChromium({ PATH }, 'linux')).toBeUndefined();
		writeFileSync(at('google-chrome'), '');
		expect(findChromium({ PATH }, 'linux')).toBe(at('google-chrome'));
		writeFileSync(at('chromium'), '');
		expect(findChromium({ PATH }, 'linux')).toBe(at('chromium'));
	});

	it('takes what CHROMIUM names, and nothing else then', () => {
		writeFileSync(at('chromium'), '');
		writeFileSync(at('mine'), '');
		expect(findChromium({ PATH: folder, CHROMIUM: ` ${at('mine')} ` }, 'linux')).toBe(at('mine'));
		expect(findChromium({ PATH: folder, CHROMIUM: at('missing') }, 'linux')).toBeUndefined();
		expect(findChromium({ PATH: folder, CHROMIUM: '' }, 'linux')).toBe(at('chromium'));
	});

	it('does without a PATH', () => {
		expect(findChromium({}, 'linux')).toBeUndefined();
	});
});

describe('findObstacle', () => {
	it('names what is missing, or the editor that is another one', () => {
		writeFileSync(at('chromium'), '');
		const found = { CHROMIUM: at('chromium') };
		expect(findObstacle(found)).toBeUndefined();
		expect(findObstacle({ CHROMIUM: at('missing') })).toEqual({
			kind: 'noChromium',
			message: 'no Chromium was found; install it, or set CHROMIUM to its path',
		});
		expect(findObstacle({ ...found, VISITOR_SERVICE_N8N: '1.123.81' })).toEqual({
			kind: 'otherEditor',
			message: 'the editor of n8n 1.123.81 is built differently',
		});
	});
});
