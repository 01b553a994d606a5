import { array, object, string } from '../n8n/responseShape';
import { runScript, unpackedPackage } from './unpackedPackage';

/** npm packs these without being asked, and shows two of them. */
const WITHOUT_CODE = ['LICENSE.md', 'README.md', 'package.json'];

const unpacked = unpackedPackage();
let loaded: Record<string, unknown>;

beforeAll(async () => {
	loaded = object(await runScript('loadPackage.cjs', unpacked.folder), 'What n8n has loaded');
});

const texts = (name: string) => array(loaded[name], name).map((text) => string(text, name));
const classNames = (name: string) =>
	array(loaded[name], name).map((one) => string(object(one, name).className, name));

describe('The package as it would be published', () => {
	it('the package as it would be published is loaded by n8n, every class its manifest names', () => {
		expect(classNames('nodes')).toEqual([
			'VisitorService',
			'VisitorServicePollingTrigger',
			'VisitorServiceTrigger',
		]);
		expect(classNames('credentials')).toEqual(['VisitorServiceApi']);
		expect(texts('exports')).toEqual([...classNames('nodes'), ...classNames('credentials')].sort());
	});

	it('holds what n8n loads, and nothing else', () => {
		const icons = texts('icons').map((url) => url.replace('icons/n8n-nodes-visitor-service/', ''));
		const outputSchemas = ['dist/nodes/VisitorService/__schema__/v1.0.0/connection/diagnose.json'];
		// The codex files are among the modules: n8n reads them by `require`.
		const wanted = new Set([...WITHOUT_CODE, ...texts('modules'), ...icons, ...outputSchemas]);
		expect([...unpacked.files].sort()).toEqual([...wanted].sort());
	});
});
