import { headerFieldName } from '../../values/headerFieldName';
import { type Delivery, type HeaderFields, headerValue } from '../delivery/request';
import type { Authentication, Proof } from './authentication';
import { verifyHmacSignature } from './hmac';
import { signsHeader } from './settingsProblem';
import { verifySharedSecret } from './sharedSecret';
import { parseTemplate } from './signedContent';
import { FAMILIES, familyOf, verifyStandardWebhook } from './standardWebhooks';
import type { SignatureVerdict } from './verdict';

/**
 * Whether a delivery has anything that could be verified. Needs no secret, so that a stranger costs
 * next to nothing.
 */
export function hasProof(headers: HeaderFields, authentication: Authentication): boolean {
	switch (authentication.kind) {
		case 'none':
			return true;
		case 'header':
			return headerValue(headers, authentication.headerName) !== '';
		case 'hmac':
			return authentication.signatureHeaders.some((name) => headerValue(headers, name) !== '');
		case 'standardWebhooks':
			return headerValue(headers, `${familyOf(headers)}-signature`) !== '';
	}
}

/** What is sure of a delivery that was verified. */
export function proofOf(
	{ headers }: Pick<Delivery, 'headers'>,
	authentication: Authentication,
): Proof {
	switch (authentication.kind) {
		case 'none':
		case 'header':
			// Who can change a header can change the body too.
			return { isProven: () => true, isStandard: false, schemeIdHeader: '' };
		case 'hmac': {
			const template = parseTemplate(authentication.signedContent);
			const isProven = (name: string) => signsHeader(template, name, authentication);
			return { isProven, isStandard: false, schemeIdHeader: authentication.idHeader };
		}
		case 'standardWebhooks': {
			const schemeIdHeader = `${familyOf(headers)}-id`;
			const isProven = (name: string) => headerFieldName(name) === schemeIdHeader;
			return { isProven, isStandard: true, schemeIdHeader };
		}
	}
}

/** Whether a header may be as sure as the body: {@link proofOf}, before there is a delivery. */
export function mayBeSigned(authentication: Authentication, header: string): boolean {
	const deliveries = FAMILIES.map((family) => ({ headers: { [`${family}-signature`]: 'v1' } }));
	return deliveries.some((delivery) => proofOf(delivery, authentication).isProven(header));
}

/**
 * Tells whether a delivery comes from somebody who knows one of the secrets. Never throws.
 *
 * @param secrets the current one and, while it is being replaced, the previous one; empty ones
 *   never match
 */
export function verifySignature(
	delivery: Delivery,
	authentication: Authentication,
	secrets: readonly string[],
): SignatureVerdict {
	try {
		if (authentication.kind === 'none') return { kind: 'verified' };
		const usable = secrets.filter((secret) => secret.trim() !== '');
		if (usable.length === 0) return { kind: 'refused', reason: 'noSecret' };
		switch (authentication.kind) {
			case 'header':
				return verifySharedSecret(delivery, authentication.headerName, usable);
			case 'hmac':
				return verifyHmacSignature(delivery, authentication, usable);
			case 'standardWebhooks':
				return verifyStandardWebhook(delivery, authentication.tolerance, usable);
		}
	} catch {
		// A check that broke has not verified anything.
		return { kind: 'refused', reason: 'notCheckable' };
	}
}
