import { fileURLToPath } from 'node:url';
import eslint from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import importPlugin from 'eslint-plugin-import';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';
import { clockRules, floorlessRules, withFloor, withoutClock, zones } from './test/lint/floors.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Every name that Node.js has, and those of its older modules. */
const globalsOfNode = Object.fromEntries(
	[...Object.getOwnPropertyNames(globalThis), '__dirname', '__filename', 'require'].map((name) => [
		name,
		'readonly',
	]),
);

// Both of n8n's plugins look at what n8n loads, and at the manifest that says what that is.
const published = ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'];

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', '**/node_modules/'] },
	// n8n's scanner takes no comment for an excuse either.
	{ linterOptions: { noInlineConfig: true } },
	{
		files: ['**/*.{js,cjs,mjs}'],
		...eslint.configs.recommended,
		languageOptions: { globals: globalsOfNode },
	},
	{ files: ['**/*.{js,cjs}'], languageOptions: { sourceType: 'commonjs' } },
	{
		files: ['**/*.{ts,js,cjs,mjs}'],
		rules: {
			// The formatter wraps code and leaves comments as they are. Texts stay in one piece, so that
			// they can be searched for.
			'max-len': [
				'error',
				{
					code: 100,
					tabWidth: 2,
					ignoreStrings: true,
					ignoreTemplateLiterals: true,
					ignoreRegExpLiterals: true,
					ignoreUrls: true,
				},
			],
		},
	},
	{
		files: ['**/*.ts'],
		extends: [eslint.configs.recommended, tseslint.configs.strictTypeChecked],
		languageOptions: {
			parserOptions: { project: 'test/tsconfig.json', tsconfigRootDir: root },
		},
		rules: {
			// Numbers are written into texts all over; they have one spelling.
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			// `onWait: () => tell('waiting')` says what it does; braces would add nothing.
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			// `return await` keeps the function in the stack trace of an error.
			'@typescript-eslint/return-await': ['error', 'always'],
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { import: importPlugin },
		settings: {
			'import/resolver': { node: { extensions: ['.ts', '.js'] } },
			'import/parsers': { '@typescript-eslint/parser': ['.ts'] },
		},
		rules: {
			'import/no-restricted-paths': ['error', { basePath: root, zones }],
			'no-restricted-properties': [
				'error',
				{ object: 'URL', property: 'canParse', message: 'readUrl: see there why.' },
			],
			// A function fits on a screen.
			'max-lines-per-function': ['error', { max: 40, IIFEs: true }],
			// `import('…').Type` would pass the floors.
			'@typescript-eslint/consistent-type-imports': 'error',
			'import/no-unresolved': ['error', { ignore: ['^n8n-workflow$', '^luxon$'] }],
		},
	},
	{ files: withoutClock, rules: clockRules },
	{ files: ['nodes/**/*.ts', 'credentials/**/*.ts'], ignores: withFloor, rules: floorlessRules },
	{
		// Calls what the HTTP Request node of n8n calls.
		files: ['test/engine/tenants.ts'],
		rules: { '@typescript-eslint/no-deprecated': 'off' },
	},
	{
		files: ['package.json'],
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
	{ files: published, plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{ files: ['package.json'], rules: n8nNodesBase.configs.community.rules },
	{ files: ['credentials/**/*.ts'], rules: n8nNodesBase.configs.credentials.rules },
	{ files: ['nodes/**/*.ts'], rules: n8nNodesBase.configs.nodes.rules },
	{
		files: published,
		rules: {
			// These three cannot be followed together with n8n's newer plugin, so n8n's own scanner
			// leaves them out too (@n8n/scan-community-package 0.32.0): a name of n8n's documents instead
			// of an address, and 'main' as a text.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{ files: published, ...n8nCommunityNodesPlugin.configs.recommended },
	{
		files: published,
		// The one rule that `recommended` leaves out.
		rules: { '@n8n/community-nodes/node-class-description-icon-missing': 'error' },
	},
);
