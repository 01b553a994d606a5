// Prints the rules of n8n's two lint plugins, and those that `npm run lint` applies. In a process
// of its own, because jest cannot import the configuration.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';

const namesOf = (prefix, { rules }) => Object.keys(rules).map((rule) => `${prefix}/${rule}`);

const eslint = new ESLint({ overrideConfigFile: 'test/lint/eslint.config.mjs' });
const active = new Set();
for (const file of process.argv.slice(2)) {
	const { rules } = await eslint.calculateConfigForFile(file);
	for (const [rule, [severity]] of Object.entries(rules)) if (severity > 0) active.add(rule);
}
console.log(
	JSON.stringify({
		communityNodes: namesOf('@n8n/community-nodes', n8nCommunityNodesPlugin),
		nodesBase: namesOf('n8n-nodes-base', n8nNodesBase),
		active: [...active],
	}),
);
