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
    async request({ baseUrl, ports, signal }) {
      // One browser may be a visitor of several platforms and sites.
      const key = `inlay:visitor:${baseUrl}:${publishableKey}`;
      const secret = quietly(() => store.read(key));
      const answer = await postWithoutToken(
        { baseUrl, ports, signal },
        '/embed_tokens/anonymous',
        { publishable_key: publishableKey, ...(secret === null ? {} : { visitor_secret: secret }) },
        readAnonymousToken,
      );
      const fresh = answer.visitor_secret;
      if (fresh !== undefined) quietly(() => store.write(key, fresh));
      return { token: answer.token, expires_at: answer.expires_at };
    },
  };
}

/** A store of the host's own may throw as well. The visitor is then a new one. */
function quietly<Value>(action: () => Value): Value | null {
  try {
    return action();
  } catch {
    return null;
  }
}
