import { InlayError } from '../../errors.ts';
import { postWithoutToken } from '../../http/request.ts';
import { type PageStore, type PageStoreKind, safeStore, visitorKey } from '../../page-store.ts';
import { readAnonymousToken } from '../../responses/read-responses.ts';
import type { TokenSource } from '../token-source.ts';
import type { GetChallenge } from './answer-challenge.ts';

/** Stores a visitor's secret between page loads. Its methods may throw: storage is often blocked. */
export type VisitorStore = PageStore;

/** Where a visitor's secret is stored. With `memory`, the next page load is a new visitor. */
export type VisitorStoreKind = PageStoreKind;

/** Where a browser stores the secret of a visitor. */
export interface VisitorLocation {
  /** The site's public key, `pk_…`. */
  readonly publishableKey: string;
  /**
   * Where the visitor's secret is stored.
   *
   * @default 'local', which makes a returning browser the same visitor
   */
  readonly store?: VisitorStoreKind | VisitorStore;
}

export interface AnonymousVisitorOptions extends VisitorLocation {
  /**
   * Called when the platform requires a challenge, because many visitors came on this day. Without it,
   * such a visitor gets no token.
   */
  readonly getChallenge?: GetChallenge;
}

/**
 * A source of tokens for users who are not signed in. The platform creates the visitor and returns a
 * secret that identifies them next time; a secret that the platform does not know is replaced.
 *
 * @throws {InlayError} `INVALID_OPTION` without a publishable key.
 */
export function anonymousVisitor(options: AnonymousVisitorOptions): TokenSource {
  const { publishableKey } = options;
  if (typeof publishableKey !== 'string' || publishableKey === '') {
    throw new InlayError(
      'INVALID_OPTION',
      'anonymousVisitor needs publishableKey: the public key of your site, "pk_…".',
    );
  }
  const store = safeStore(options.store ?? 'local', 'store');
  /** The secrets in use. They don't change when the storage is cleared or another tab writes to it. */
  const secretsInUse = new Map<string, string | null>();
  const keyOf = (baseUrl: string) => visitorKey(baseUrl, publishableKey);
  return {
    renewable: true,
    publishableKey,
    forget(baseUrl) {
      secretsInUse.delete(keyOf(baseUrl));
      store.remove(keyOf(baseUrl));
    },
    async request(request) {
      const key = keyOf(request.baseUrl);
      const current = secretsInUse.get(key) ?? store.read(key);
      secretsInUse.set(key, current);
      const post = (challenge_answer?: string) =>
        postWithoutToken(
          request,
          '/embed_tokens/anonymous',
          {
            publishable_key: publishableKey,
            visitor_secret: current ?? undefined,
            challenge_answer,
          },
          readAnonymousToken,
        );
      const { token, expires_at, ...rest } = await post().catch(async (error: unknown) => {
        if (!options.getChallenge) throw error;
        const { answerChallenge } = await import('./answer-challenge.ts');
        return post(await answerChallenge(error, options, request.signal));
      });
      const secret = rest.visitor_secret;
      if (secret) {
        secretsInUse.set(key, secret);
        store.write(key, secret);
      }
      return { token, expires_at };
    },
  };
}
