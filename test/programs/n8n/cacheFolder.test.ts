import path from 'node:path';
import { cacheFolder, installationName } from '../../n8n/cacheFolder';

const home = path.resolve('/home/someone');

describe('cacheFolder', () => {
	it('cacheFolder is in ~/.cache if nothing else is said', () => {
		expect(cacheFolder({}, home)).toBe(path.join(home, '.cache', 'n8n-nodes-visitor-service'));
	});

	it('follows XDG_CACHE_HOME', () => {
		const shared = path.resolve('/var/shared');
		expect(cacheFolder({ XDG_CACHE_HOME: shared }, home)).toBe(
			path.join(shared, 'n8n-nodes-visitor-service'),
		);
	});

	it.each(['', '  ', 'relative/cache'])('ignores XDG_CACHE_HOME %j', (value) => {
		expect(cacheFolder({ XDG_CACHE_HOME: value }, home)).toBe(cacheFolder({}, home));
	});

	it('prefers VISITOR_SERVICE_CACHE, exactly as given', () => {
		const own = path.resolve('/var/own');
		expect(cacheFolder({ VISITOR_SERVICE_CACHE: own, XDG_CACHE_HOME: '/var/shared' }, home)).toBe(
			own,
		);
	});
});

describe('installationName', () => {
	const linux = { platform: 'linux', arch: 'x64' };

	it('stays the same for the same lock file and platform', () => {
		expect(installationName('2.41.1', 'lock', linux)).toBe(
			installationName('2.41.1', 'lock', linux),
		);
		expect(installationName('2.41.1', 'lock', linux)).toMatch(/^n8n-2\.41\.1-[0-9a-f]{12}$/);
	});

	it.each([
		['another lock file', installationName('2.41.1', 'lock2', linux)],
		['another processor', installationName('2.41.1', 'lock', { ...linux, arch: 'arm64' })],
		['another system', installationName('2.41.1', 'lock', { ...linux, platform: 'darwin' })],
		['another version', installationName('1.123.81', 'lock', linux)],
	])('differs for %s', (_what, name) => {
		expect(name).not.toBe(installationName('2.41.1', 'lock', linux));
	});
});
