// Applies `npm run lint` to texts as if they were files, without the rules that need types, and
// prints what it says. In a process of its own, because jest cannot import the configuration.

import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const eslint = new ESLint({
	overrideConfigFile: 'test/lint/eslint.config.mjs',
	overrideConfig: [tseslint.configs.disableTypeChecked],
});
const problems = [];
for (const [filePath, text] of Object.entries(JSON.parse(process.argv[2]))) {
	const [result] = await eslint.lintText(text, { filePath });
	for (const { ruleId, line } of result.messages) problems.push({ filePath, line, ruleId });
}
console.log(JSON.stringify(problems));
