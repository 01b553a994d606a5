import { parseArgs } from 'node:util';

export interface SoakOptions {
	minutes: number;
	/** Webhooks sent in each second. */
	webhooksPerSecond: number;
	secondsBetweenListings: number;
	secondsBetweenFaults: number;
}

/** Reads `npm run soak -- --minutes 20 --rate 5`. Throws an Error that says how it is written. */
export function readSoakOptions(commandLine: string[]): SoakOptions {
	const { values } = parseArgs({
		args: commandLine,
		options: {
			minutes: { type: 'string', default: '20' },
			rate: { type: 'string', default: '5' },
			listings: { type: 'string', default: '10' },
			faults: { type: 'string', default: '45' },
		},
	});
	const number = (name: keyof typeof values) => {
		const value = Number(values[name]);
		if (value > 0) return value;
		throw new Error(
			`--${name} has to be a number above 0. Write: npm run soak -- --minutes 20 --rate 5 --listings 10 --faults 45 (webhooks a second, seconds between listings, seconds between faults).`,
		);
	};
	return {
		minutes: number('minutes'),
		webhooksPerSecond: number('rate'),
		secondsBetweenListings: number('listings'),
		secondsBetweenFaults: number('faults'),
	};
}
