import { explainInstallFailure } from '../../n8n/explainInstallFailure';

describe('explainInstallFailure', () => {
	it.each([
		[
			'npm error code ENOTFOUND\nnpm error network request failed',
			/registry could not be reached.*Check the network/,
		],
		['npm error code ECONNREFUSED', /registry could not be reached/],
		[
			'npm error nospc ENOSPC: no space left on device, write',
			/disk is full.*VISITOR_SERVICE_CACHE/,
		],
		["EACCES: permission denied, mkdir '/cache'", /cannot be written.*VISITOR_SERVICE_CACHE/],
		['spawn npm ENOENT', /npm was not found.*Install Node\.js/],
		['npm error code E404', /lacks a package.*complete registry/],
		['npm error notarget No matching version found', /lacks a package/],
		['npm error code E403', /refused access.*login/],
		['npm error code EINTEGRITY', /damaged.*npm cache verify/],
		['gyp ERR! find Python', /could not be compiled.*Install Python 3/],
		['gyp ERR! stack Error: not found: make', /could not be compiled/],
	])('says what to do about %j', (output, explanation) => {
		expect(explainInstallFailure(output)).toMatch(explanation);
	});

	it('names the compiler where a prebuilt binary could not be downloaded either', () => {
		const output =
			'npm error prebuild-install warn getaddrinfo EAI_AGAIN\nnpm error gyp ERR! find Python';
		expect(explainInstallFailure(output)).toMatch(/could not be compiled/);
	});

	it('does not take the name of a downloaded package for a cause', () => {
		const output = 'npm http fetch GET 200 /ENOSPC-1.0.0.tgz\nnpm error code E404';
		expect(explainInstallFailure(output)).toMatch(/lacks a package/);
	});

	it('shows the end of what npm printed when it knows no better', () => {
		const output = ['one', 'two', 'three', '', 'four', 'five', 'six'].join('\n');
		expect(explainInstallFailure(output)).toBe(
			'npm could not install n8n. Its last lines say why:\ntwo\nthree\nfour\nfive\nsix',
		);
	});
});
