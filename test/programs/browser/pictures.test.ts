import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
	SHOWN_TEXTS,
	type ShownTexts,
	textsIn,
	textsOfToday,
} from '../../browser/harness/shownTexts';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const WHOLE_PAGES = /(diagnose|list-users|polling-trigger|webhook-received|webhook-trigger)\.png$/;

const pictures = ['docs/pictures', 'examples/pictures'].flatMap((folder) =>
	readdirSync(path.join(ROOT, folder))
		.filter((file) => file.endsWith('.png'))
		.map((file) => `${folder}/${file}`),
);
const shown = JSON.parse(readFileSync(SHOWN_TEXTS, 'utf8')) as ShownTexts;
const today = textsOfToday();

describe('Pictures of the documents', () => {
	it.each(pictures)(
		'pictures show in %s the texts of today (else run `npm run pictures`)',
		(picture) => {
			expect(Object.keys(shown)).toContain(picture);
			expect(shown[picture]?.filter((text) => !today.has(text))).toEqual([]);
		},
	);

	it.each(pictures.filter((picture) => WHOLE_PAGES.test(picture)))(
		'pictures show in %s a page of 1600 pixels',
		(picture) => {
			// The width stands in the header of every PNG (PNG specification, 11.2.1).
			expect(readFileSync(path.join(ROOT, picture)).readUInt32BE(16)).toBe(1600);
		},
	);

	it('pictures of the documents have no texts left of pictures that are gone', () => {
		expect(Object.keys(shown).filter((picture) => !pictures.includes(picture))).toEqual([]);
	});
});

describe('The texts a page shows', () => {
	it('finds the texts a page shows without marks, with any values in them', () => {
		const texts = ['Read … users (… pages)', 'Choose the secret', 'Not on this page'];
		expect(textsIn('Read 50 of 2,600 users (26\npages). Choose the secret', texts)).toEqual([
			'Choose the secret',
			'Read … users (… pages)',
		]);
	});

	it('the texts a page shows are those of the nodes, the credential and the examples', () => {
		expect(today).toContain('Issued by your service provider');
		expect(today).toContain('Max number of results to return');
		expect(today.size).toBeGreaterThan(300);
	});
});
