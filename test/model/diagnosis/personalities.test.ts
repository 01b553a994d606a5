import { diagnosed } from '../../boundary/diagnose/diagnosed';
import { isReadable } from '../../boundary/diagnose/facts';
import { workingPersonalities } from '../../boundary/diagnose/personalities';
import { wrongFindings } from '../../boundary/diagnose/wrongFindings';

describe('Diagnose of a service that answers', () => {
	it.each(workingPersonalities)('says nothing wrong: $name', async (personality) => {
		const { finding, findings, list, requests, service } = await diagnosed(personality);
		expect(wrongFindings({ findings, service })).toEqual([]);
		expect(requests.length).toBeLessThanOrEqual(25);
		const { settles = [], cannotSettle = [] } = personality;
		expect(settles.filter((check) => finding(check).status === 'unknown')).toEqual([]);
		expect(cannotSettle.filter((check) => finding(check).status !== 'unknown')).toEqual([]);
		const { authorization, list: switches } = service.switches;
		if (!isReadable(authorization.permission, 'users') || switches.paths.users === null) return;

		expect(finding('usersReadable').observed).toBe(true);
		const settings = finding('summary').setting?.['List Users'] ?? {};
		const without = (await list({})) ?? [];
		const records = (await list(settings)) ?? [];
		expect(records.length).toBeGreaterThanOrEqual(without.length);
		const every = Number(switches.hiddenAfterPaging);
		const count = service.count('users');
		const hidden = every > 0 ? Math.floor(count / every) : 0;
		expect(records).toHaveLength(personality.readable ?? count - hidden);
	});
});
