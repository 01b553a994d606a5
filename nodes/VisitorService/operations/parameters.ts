import { ServiceFailure } from '../failure/serviceFailure';
import { parameterReaders } from '../values/parameters';

/** @throws ServiceFailure that names the parameter */
export const {
	readText,
	readExactText,
	readList,
	readHeaderName,
	readWholeNumber,
	readNumber,
	readTime,
	readFlag,
	readChoice,
	readCollection,
	readRows,
} = parameterReaders(
	({ label, must, remedy }) =>
		new ServiceFailure(
			`${label} must be ${must}.`,
			`Set ${label} to ${remedy}. If it is an expression, check what it returns.`,
			{ kind: 'configuration' },
		),
);
