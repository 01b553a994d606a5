import { readdirSync } from 'node:fs';
import path from 'node:path';

const BOUNDARY = path.join(__dirname, '..', 'boundary');
const pattern = new RegExp(process.env.MUTATION_TESTS ?? '');

// All tests at the boundary as one file, because jest loads the modules of each file again for each
// mutant, and n8n's are most of what a mutant costs.
for (const file of readdirSync(BOUNDARY, { recursive: true, encoding: 'utf8' })) {
	if (!file.endsWith('.test.ts') || !pattern.test(`boundary/${file}`)) continue;
	describe(file, () => {
		jest.requireActual(path.join(BOUNDARY, file));
	});
}
