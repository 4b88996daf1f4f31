import { AuthDenied, InlayError, isInlayError } from '../errors.ts';
import type { TokenGrant, TokenRequest, TokenSource } from './token-source.ts';
import { readGrant } from './token-value.ts';

/**
 * Asks the source one question. Rejects with an `InlayError` whatever it did: one that is not
 * retryable is a refusal. What the host threw is kept as the cause, except its text in ours: it may
 * quote a secret.
 */
export async function askSource(source: TokenSource, request: TokenRequest): Promise<TokenGrant> {
  let answer: unknown;
  try {
    answer = await source.request(request);
  } catch (error) {
    throw asRefusal(error);
  }
  const grant = readGrant(answer);
  if (!grant) throw new AuthDenied();
  return grant;
}

function asRefusal(error: unknown): InlayError {
  if (isInlayError(error)) return error;
  // A host's token endpoint that passes the platform's problem on, and a `getToken` that throws it.
  if (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    (error.code === 'EMBED_USER_BLOCKED' || error.code === 'EMBED_ORIGIN_NOT_ALLOWED')
  ) {
    return new InlayError(error.code, 'The platform issues no token for this person.');
  }
  return new InlayError('TOKEN_UNAVAILABLE', 'getToken failed.', { retryable: true });
}
