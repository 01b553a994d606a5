import fc from 'fast-check';

/**
 * Properties run from one seed, so that a suite that turns red is about the change and not about
 * the draw.
 * `PROPERTY_SEED=random` looks further, `PROPERTY_SEED=<number>` repeats what such a run has found.
 */
const { PROPERTY_SEED: wanted = '20261121' } = process.env;

if (wanted !== 'random') {
	const seed = Number(wanted);
	if (!Number.isInteger(seed))
		throw new Error('PROPERTY_SEED has to be a whole number or "random".');
	fc.configureGlobal({ seed });
}

export default fc;
