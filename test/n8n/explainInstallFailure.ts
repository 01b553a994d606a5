const CAUSES: Array<{ sign: RegExp; happened: string; todo: string }> = [
	{
		sign: /ENOSPC/,
		happened: 'The disk is full.',
		todo: 'Free 5 GB, or set VISITOR_SERVICE_CACHE to a folder on a larger disk, and start again.',
	},
	{
		sign: /EACCES|EPERM|EROFS|ENOTDIR/,
		happened: 'The cache folder cannot be written.',
		todo: 'Set VISITOR_SERVICE_CACHE to a folder that you may write, and start again.',
	},
	{
		sign: /spawn npm ENOENT/,
		happened: 'npm was not found.',
		todo: 'Install Node.js with npm, or start this with `npm run`, which tells where npm is.',
	},
	{
		sign: /gyp ERR!/,
		happened: 'A native part of n8n (SQLite) could not be compiled.',
		todo: 'Install Python 3, make and a C++ compiler (Debian: `apt install python3 make g++`), and start again.',
	},
	{
		sign: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
		happened: 'The npm registry could not be reached.',
		todo: 'Check the network and `npm config get registry proxy https-proxy`, and start again.',
	},
	{
		sign: /E401|E403|E407/,
		happened: 'The npm registry refused access.',
		todo: 'Check the login and the registry in your npm configuration, and start again.',
	},
	{
		sign: /E404|ETARGET|notarget/,
		happened: 'The npm registry lacks a package that n8n needs.',
		todo: 'Point npm at a complete registry (`npm config get registry`), and start again.',
	},
	{
		sign: /EINTEGRITY/,
		happened: 'A downloaded package is damaged.',
		todo: 'Run `npm cache verify`, and start again.',
	},
];

/** npm also prints the name of every package it downloads, and a name may look like a cause. */
const ERROR_LINE = /^(npm (error|ERR!)|gyp ERR!)/;

/**
 * What went wrong while npm prepared n8n and what to do about it, from all that npm printed; one
 * sentence each. Without a known sign the end of npm's own text is given.
 */
export function explainInstallFailure(output: string): string {
	const errors = output.split('\n').filter((line) => ERROR_LINE.test(line));
	const text = errors.length > 0 ? errors.join('\n') : output;
	const cause = CAUSES.find(({ sign }) => sign.test(text));
	if (cause) return `${cause.happened} ${cause.todo}`;
	const end = output
		.split('\n')
		.filter((line) => line.trim() !== '')
		.slice(-5)
		.join('\n');
	return `npm could not install n8n. Its last lines say why:\n${end}`;
}
