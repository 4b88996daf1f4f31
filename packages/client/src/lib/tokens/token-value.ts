import { InlayError } from '../errors.ts';
import { hostFaults } from './token-errors.ts';
import type { TokenGrant } from './token-source.ts';

const longest = 16_384;

/**
 * Reads what a token source gave. Null for a refusal. Throws `INVALID_TOKEN_FROM_HOST`, naming the
 * fault and the remedy but never the value, for what no header may carry.
 */
export function readGrant(value: unknown): TokenGrant | null {
  if (value === null || value === undefined) return null;
  const fields: Record<string, unknown> =
    typeof value === 'object' ? { ...value } : { token: value };
  const { token, expires_at } = fields;
  if (typeof token !== 'string') {
    throw invalid(`it is of type ${typeof token}: return a string, or { token, expires_at }`);
  }
  if (/^(?:undefined|null)?$/.test(token)) {
    throw invalid(`it is the text "${token}". To refuse, return null`);
  }
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > longest) {
    throw invalid(`it has more than ${longest} characters, or others than visible ASCII`);
  }
  if (expires_at === undefined || expires_at === null) return { token };
  if (typeof expires_at !== 'string' || Number.isNaN(Date.parse(expires_at))) {
    throw invalid('its expires_at is no date');
  }
  return { token, expires_at };
}

function invalid(fault: string): InlayError {
  const error = new InlayError(
    'INVALID_TOKEN_FROM_HOST',
    `getToken gave something that is not a token: ${fault}.`,
    { retryable: true },
  );
  hostFaults.add(error);
  return error;
}
