import { InlayError } from '../errors.ts';
import { postWithoutToken } from '../http/post-without-token.ts';
import { type PageStore, type PageStoreKind, quietStore } from '../page-store.ts';
import { readAnonymousToken } from '../wire/answers.ts';
import type { TokenSource } from './token-source.ts';

/** Keeps a visitor's secret between page loads. May throw: storage is often forbidden. */
export type VisitorStore = PageStore;

/** Where a visitor's secret is kept. With `memory` the person is a new visitor on the next page. */
export type VisitorStoreKind = PageStoreKind;

export interface AnonymousVisitorOptions {
  /** The site's public key, `pk_…`. */
  readonly publishableKey: string;
  /** Where the visitor's secret is kept: `local` by default, so that a visitor is known again. */
  readonly store?: VisitorStoreKind | VisitorStore;
}

/**
 * Tokens for people who are not signed in. The platform names the visitor and gives a secret that
 * makes them the same visitor next time; one that the platform does not know is replaced silently.
 */
export function anonymousVisitor(options: AnonymousVisitorOptions): TokenSource {
  const { publishableKey } = options;
  if (typeof publishableKey !== 'string' || publishableKey === '') {
    throw new InlayError(
      'INVALID_OPTION',
      'anonymousVisitor needs publishableKey: the public key of your site, "pk_…".',
    );
  }
  const store = quietStore(options.store ?? 'local', 'store');
  /** Once known, it stays: whatever becomes of the storage, and whoever another tab is. */
  const known = new Map<string, string | null>();
  // One browser may be a visitor of several platforms and sites.
  const keyOf = (baseUrl: string) => `inlay:visitor:${baseUrl}:${publishableKey}`;
  return {
    renewable: true,
    publishableKey,
    forget(baseUrl) {
      known.delete(keyOf(baseUrl));
      store.remove(keyOf(baseUrl));
    },
    async request(request) {
      const key = keyOf(request.baseUrl);
      const held = known.get(key) ?? store.read(key);
      known.set(key, held);
      const { token, expires_at, ...fresh } = await postWithoutToken(
        request,
        '/embed_tokens/anonymous',
        { publishable_key: publishableKey, visitor_secret: held ?? undefined },
        readAnonymousToken,
      );
      const secret = fresh.visitor_secret;
      if (secret) {
        known.set(key, secret);
        store.write(key, secret);
      }
      return { token, expires_at };
    },
  };
}
