const { dest, parallel, src } = require('gulp');

// gulp 5 reads files as UTF-8 unless told otherwise, which destroys images.
const asBytes = { encoding: false };

const copyIcons = () =>
	src(['nodes/**/*.{svg,png}', 'credentials/**/*.{svg,png}'], { ...asBytes, base: '.' }).pipe(
		dest('dist'),
	);

const copyCodexFiles = () =>
	src('nodes/**/*.node.json', { ...asBytes, base: '.' }).pipe(dest('dist'));

// What the editor shows of an output before the first run.
const copyOutputSchemas = () =>
	src('nodes/**/__schema__/**/*.json', { ...asBytes, base: '.' }).pipe(dest('dist'));

exports.default = parallel(copyIcons, copyCodexFiles, copyOutputSchemas);
