import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SHOWN_TEXTS, type ShownTexts, textsOfToday } from '../../browser/harness/shownTexts';

const ROOT = path.resolve(__dirname, '..', '..', '..');

const pictures = ['docs/pictures', 'examples/pictures'].flatMap((folder) =>
	readdirSync(path.join(ROOT, folder))
		.filter((file) => file.endsWith('.png'))
		.map((file) => `${folder}/${file}`),
);
const shown = JSON.parse(readFileSync(SHOWN_TEXTS, 'utf8')) as ShownTexts;
const today = textsOfToday();

describe('Pictures of the documents', () => {
	it.each(pictures)(
		'pictures show in %s the texts of today (else run `UPDATE_PICTURES=1 npm test -- browser`)',
		(picture) => {
			expect(Object.keys(shown)).toContain(picture);
			expect(shown[picture]?.filter((text) => !today.has(text))).toEqual([]);
		},
	);
});
