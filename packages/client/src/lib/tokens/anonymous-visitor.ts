import { InlayError } from '../errors.ts';
import { postWithoutToken } from '../http/post-without-token.ts';
import { readAnonymousToken } from '../wire/answers.ts';
import type { TokenSource } from './token-source.ts';
import { type VisitorStore, type VisitorStoreKind, visitorStore } from './visitor-store.ts';

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
  const store = visitorStore(options.store ?? 'local');
  return {
    renewable: true,
    async request(request) {
      // One browser may be a visitor of several platforms and sites.
      const key = `inlay:visitor:${request.baseUrl}:${publishableKey}`;
      const visitor_secret = quietly(() => store.read(key)) ?? undefined;
      const { token, expires_at, ...fresh } = await postWithoutToken(
        request,
        '/embed_tokens/anonymous',
        { publishable_key: publishableKey, visitor_secret },
        readAnonymousToken,
      );
      const secret = fresh.visitor_secret;
      if (secret) quietly(() => store.write(key, secret));
      return { token, expires_at };
    },
  };
}

/** What a store throws harms nothing. The person is a new visitor then. */
function quietly<Value>(action: () => Value): Value | null {
  try {
    return action();
  } catch {
    return null;
  }
}
