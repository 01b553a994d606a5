import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorServiceTrigger } from '../../nodes/VisitorService/VisitorServiceTrigger.node';
import {
	below,
	describeDelivery,
	isGenuineContent,
	nextDelivery,
	SECRET,
	schemes,
} from '../fuzz/mutatedDeliveries';
import { CredentialStore } from './harness/credentialStore';
import { WebhookReceiver } from './harness/webhookReceiver';

const TYPE = 'n8n-nodes-visitor-service.visitorServiceTrigger';
const DELIVERIES = 100_000;

function liveBytes(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}

it(`${DELIVERIES} mutated deliveries: none throws, hangs, gets 5xx or is passed on unverified`, async () => {
	const credentials = new CredentialStore([new VisitorServiceApi()]);
	const used = credentials.add('visitorServiceApi', { webhookSecret: SECRET });
	const nodeTypes = { [TYPE]: new VisitorServiceTrigger() };
	const receivers = schemes.map(({ parameters }, index) => {
		const nodes = [{ type: TYPE, parameters, credentials: used }];
		return new WebhookReceiver({ id: `fuzz-${index}`, nodeTypes, nodes, credentials }, true);
	});

	const counts = { accepted: 0, refused: 0, leftOut: 0, byHost: 0 };
	let settled = 0;
	for (let number = 0; number < DELIVERIES; number++) {
		const delivery = nextDelivery();
		const receiver = receivers[delivery.index];
		if (receiver === undefined) throw new Error('No receiver.');
		// n8n answers some bodies itself; half of them are left to the node to see what it does.
		receiver.parsesBodies = below(2) === 0;

		const answer = await receiver.deliver(delivery.sent);
		const passedOn = receiver.executions.length > 0;
		receiver.executions.length = 0;
		const fail = (what: string) => {
			throw new Error(`${what}: delivery ${number}, ${describeDelivery(delivery)}`);
		};
		if (answer.by === 'hostBefore') {
			counts.byHost += 1;
		} else if (passedOn) {
			counts.accepted += 1;
			if (answer.statusCode !== 200 || !isGenuineContent(delivery)) fail('Passed on');
		} else {
			if (![200, 400, 401, 413, 415].includes(answer.statusCode))
				fail(`Answered ${answer.statusCode}`);
			if (delivery.times === 0) fail('Not passed on');
			if (answer.statusCode === 200) counts.leftOut += 1;
			else counts.refused += 1;
		}
		if (number === DELIVERIES / 5) settled = liveBytes();
	}

	expect(counts.accepted + counts.refused + counts.leftOut + counts.byHost).toBe(DELIVERIES);
	// The test would prove nothing if one kind were missing.
	expect(counts.accepted).toBeGreaterThan(DELIVERIES / 10);
	expect(counts.refused).toBeGreaterThan(DELIVERIES / 10);
	// What 80,000 deliveries leave behind beyond the first 20,000: less than 100 bytes each.
	expect(liveBytes() - settled).toBeLessThan(8 * 1024 * 1024);
}, 300_000);
