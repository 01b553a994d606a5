import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';

/** The failure an action ends with; anything else fails the test. */
export async function thrownFailure(action: () => unknown): Promise<ServiceFailure> {
	try {
		await action();
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('Nothing was thrown.');
}
