import { InlayError } from '../errors.ts';
import type { TokenGrant, TokenSource } from './token-source.ts';

/**
 * What a host page gives. It is called whenever a token is needed: with null first, later with the
 * token that is being replaced. It asks the host's backend, which decides whether the person may
 * talk. Null, undefined or a thrown `AuthDenied` says no; any other failure is tried again.
 */
export type GetToken = (
  current: string | null,
) => Promise<TokenGrant | string | null | undefined> | TokenGrant | string | null | undefined;

/** Tokens that the host's backend issues for the person it has signed in. */
export function hostTokens(getToken: GetToken): TokenSource {
  if (typeof getToken !== 'function') {
    throw new InlayError(
      'INVALID_OPTION',
      'hostTokens(getToken) takes a function that asks your backend for an embed token.',
    );
  }
  return { renewable: true, request: async ({ current }) => getToken(current) };
}
