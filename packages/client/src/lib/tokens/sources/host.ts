import { InlayError } from '../../errors.ts';
import type { TokenGrant, TokenSource } from '../token-source.ts';

/**
 * The host page's function that requests a token from the host's backend. It is called whenever a
 * token is needed: first with null, later with the token to replace. Null, undefined or a thrown
 * `AuthDeniedError` deny access; any other failure is retried.
 */
export type GetToken = (
  current: string | null,
) => Promise<TokenGrant | string | null | undefined> | TokenGrant | string | null | undefined;

/**
 * A source of tokens that the host's backend issues for the user who is signed in there.
 *
 * @throws {InlayError} `INVALID_OPTION` if `getToken` is not a function.
 */
export function hostTokens(getToken: GetToken): TokenSource {
  if (typeof getToken !== 'function') {
    throw new InlayError(
      'INVALID_OPTION',
      'hostTokens(getToken) needs a function that requests an embed token from your backend.',
    );
  }
  return { renewable: true, request: async ({ current }) => getToken(current) };
}
