// How jest gets from TypeScript to JavaScript: without a check of types, which `npm run typecheck`
// makes once.
const { transformSync } = require('esbuild');

module.exports = {
	process: (source, file, { transformerConfig }) =>
		transformSync(source, { ...transformerConfig.options, sourcefile: file }),
};
