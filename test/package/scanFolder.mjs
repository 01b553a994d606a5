// Scans a folder as n8n's package scanner does, and prints what it says. In a process of its own,
// because jest cannot import the scanner.
//
// The scanner's verdict passes over warnings, so its rules are applied a second time to see those,
// too.

import {
	analyzePackage,
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

const [folder, kind] = process.argv.slice(2);
const patterns = kind === 'source' ? SOURCE_FILE_PATTERNS : ['**/*.{js,ts,json}'];

const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: await buildScanConfig(),
});
const results = await eslint.lintFiles(patterns);
const rules = new Set();
for (const { filePath } of results) {
	const config = await eslint.calculateConfigForFile(filePath);
	for (const [rule, [severity]] of Object.entries(config.rules)) if (severity > 0) rules.add(rule);
}
console.log(
	JSON.stringify({
		verdict: await analyzePackage(folder, patterns),
		files: results.length,
		rules: [...rules],
		problems: results.flatMap(({ filePath, messages }) =>
			messages.map(({ ruleId, message }) => `${filePath}: ${message} (${ruleId})`),
		),
	}),
);
