import { CHECKS, type Check } from '../../../nodes/VisitorService/diagnosis/finding';
import type { Diagnosed, ShownFinding } from './diagnosed';
import { factsOf } from './facts';

/**
 * Findings that are neither right nor unknown, by the switches of the service.
 *
 * @param allowed what may differ from the switches, where the service was made to fail
 */
export function wrongFindings(
	{
		findings,
		service,
	}: { findings: Diagnosed['findings']; service: Pick<Diagnosed['service'], 'switches' | 'count'> },
	allowed: (finding: ShownFinding) => boolean = () => false,
): string[] {
	const facts = factsOf(service.switches, service.count('users'));
	return CHECKS.flatMap((check: Check) => {
		const finding = findings.find((one) => one.check === check);
		if (finding === undefined) return [`${check} is missing`];
		if (finding.status === 'unknown' || allowed(finding)) return [];
		const right = facts[check]?.(finding.observed) === true;
		return right ? [] : [`${check}: ${String(finding.observed)}`];
	});
}

/**
 * That something could not be read or reached is right where it failed, and so is a limit that was
 * met.
 */
export function isSeenFailure({ check, observed }: ShownFinding): boolean {
	if (check === 'rateLimit') return true;
	return (check === 'tokenExchange' || check === 'usersReadable') && observed === false;
}
