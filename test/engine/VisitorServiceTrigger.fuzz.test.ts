import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorServiceTrigger } from '../../nodes/VisitorService/VisitorServiceTrigger.node';
import {
	below,
	describeDelivery,
	isCheck as isCheckOf,
	isGenuineContent,
	isPlain,
	type MutatedDelivery,
	nextDelivery,
	SECRET,
	schemes,
	selectionOf,
} from '../fuzz/mutatedDeliveries';
import { CredentialStore } from './harness/credentialStore';
import { WebhookReceiver } from './harness/webhookReceiver';

const TYPE = 'n8n-nodes-visitor-service.visitorServiceTrigger';
/** 50,000 take about 20 seconds of one core; FUZZ_DELIVERIES asks for more. */
const DELIVERIES = Number(process.env.FUZZ_DELIVERIES ?? 50_000);
const CHALLENGE = /^[\w .,:~+/=@|-]*$/;

function liveBytes(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}

const isLeftOut = (body: unknown) => JSON.stringify({ body }).includes('"message":');

const valuesOf = (body: unknown) => {
	const text = String(body);
	return text.startsWith('{') ? Object.values(JSON.parse(text) as Record<string, string>) : [text];
};

/** What a delivery led to, and how the same one was read. */
interface Outcome {
	delivery: MutatedDelivery;
	parsesBodies: boolean;
	passedOn: boolean;
}

it(`${DELIVERIES} mutated deliveries: none throws, hangs, gets 5xx or is passed on unverified, twice or unselected`, async () => {
	const credentials = new CredentialStore([new VisitorServiceApi()]);
	const used = credentials.add('visitorServiceApi', { webhookSecret: SECRET });
	const nodeTypes = { [TYPE]: new VisitorServiceTrigger() };
	const receivers = schemes.map(({ parameters }, index) => {
		const nodes = [{ type: TYPE, parameters, credentials: used }];
		return new WebhookReceiver({ id: `fuzz-${index}`, nodeTypes, nodes, credentials }, true);
	});

	const counts = { accepted: 0, refused: 0, leftOut: 0, checked: 0, byHost: 0 };
	let settled = 0;
	let last: Outcome | undefined;
	const repeats = { passedOn: 0, leftOut: 0 };
	let unselected = 0;
	for (let number = 0; number < DELIVERIES; number++) {
		// Senders repeat a delivery whose answer they missed.
		const earlier = below(8) === 0 ? last : undefined;
		const delivery = earlier?.delivery ?? nextDelivery();
		const receiver = receivers[delivery.index];
		if (receiver === undefined) throw new Error('No receiver.');
		// n8n answers some bodies itself; half of them are left to the node to see what it does.
		receiver.parsesBodies = earlier?.parsesBodies ?? below(2) === 0;

		const answer = await receiver.deliver(delivery.sent);
		const passedOn = receiver.executions.length > 0;
		receiver.executions.length = 0;
		const fail = (what: string) => {
			throw new Error(`${what}: delivery ${number}, ${describeDelivery(delivery)}`);
		};
		last = { delivery, parsesBodies: receiver.parsesBodies, passedOn };
		// What was changed may not even be unpacked.
		const selection = passedOn || delivery.times === 0 ? selectionOf(delivery) : 'possible';
		if (passedOn && selection === 'other') fail('Not selected, and passed on');
		if (earlier?.passedOn === true) {
			last = undefined;
			const isIgnored = delivery.scheme.ignoresRepeats === true;
			if (passedOn === isIgnored) fail(isIgnored ? 'Passed on twice' : 'Passed on once only');
			repeats[passedOn ? 'passedOn' : 'leftOut']++;
		}
		if (answer.by === 'hostBefore') {
			counts.byHost += 1;
		} else if (passedOn) {
			counts.accepted += 1;
			if (answer.statusCode !== 200 || !isGenuineContent(delivery)) fail('Passed on');
		} else {
			if (![200, 400, 401, 405, 413, 415].includes(answer.statusCode))
				fail(`Answered ${answer.statusCode}`);
			const isCheck = answer.statusCode === 200 && !isLeftOut(answer.body);
			if (isCheck && !valuesOf(answer.body).every((value) => CHALLENGE.test(value)))
				fail('Reflected');
			const isMissed = selection === 'selected' && earlier?.passedOn !== true;
			// What has no clear borders, or more levels than n8n can take, is refused though genuine.
			const isUnclear = [401, 413].includes(answer.statusCode) && !isPlain(delivery);
			if (delivery.times === 0 && !isCheck && !isUnclear && isMissed) fail('Not passed on');
			if (isCheck && delivery.times === 0 && !isCheckOf(delivery)) fail('Swallowed');
			if (selection === 'other') unselected++;
			if (isCheck) counts.checked += 1;
			else if (answer.statusCode === 200) counts.leftOut += 1;
			else counts.refused += 1;
		}
		if (number === DELIVERIES / 5) settled = liveBytes();
	}

	const { accepted, refused, leftOut, checked, byHost } = counts;
	expect(accepted + refused + leftOut + checked + byHost).toBe(DELIVERIES);
	console.info(JSON.stringify(counts));
	// The test would prove nothing if one kind were missing.
	expect(counts.accepted).toBeGreaterThan(DELIVERIES / 10);
	expect(counts.refused).toBeGreaterThan(DELIVERIES / 10);
	expect(counts.checked).toBeGreaterThan(DELIVERIES / 100);
	expect(Math.min(repeats.passedOn, repeats.leftOut, unselected)).toBeGreaterThan(DELIVERIES / 200);
	// What deliveries leave behind once the memory of repeats is full.
	expect(liveBytes() - settled).toBeLessThan(8 * 1024 * 1024);
}, 3_600_000);
