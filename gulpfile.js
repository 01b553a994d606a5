const { dest, parallel, src, watch } = require('gulp');

/** Beside the compiler's `outDir`; `npm run dev` has one of its own. */
const FOLDER = process.env.BUILD_FOLDER ?? 'dist';

const ICONS = ['nodes/**/*.{svg,png}', 'credentials/**/*.{svg,png}'];
const CODEX_FILES = 'nodes/**/*.node.json';
// What the editor shows of an output before the first run.
const OUTPUT_SCHEMAS = 'nodes/**/__schema__/**/*.json';

// gulp 5 reads files as UTF-8 unless told otherwise, which destroys images.
const copy = (files) => () => src(files, { encoding: false, base: '.' }).pipe(dest(FOLDER));

const copyAll = parallel(copy(ICONS), copy(CODEX_FILES), copy(OUTPUT_SCHEMAS));

exports.default = copyAll;

exports.watch = () =>
	watch([...ICONS, CODEX_FILES, OUTPUT_SCHEMAS].flat(), { ignoreInitial: false }, copyAll);
