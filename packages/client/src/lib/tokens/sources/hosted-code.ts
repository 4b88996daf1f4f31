import { InlayError, networkError } from '../../errors.ts';
import { postWithoutToken } from '../../http/request.ts';
import { readExchange } from '../../responses/read-responses.ts';
import { withTimeout } from '../../wait.ts';
import type { TokenRequest, TokenSource } from '../token-source.ts';

/** The members of `window` that a hosted link uses. */
export interface HostedPage {
  readonly location: { readonly href: string; readonly hash: string };
  readonly history: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, url: string): void;
  };
  readonly document: EventTarget & { readonly prerendering?: boolean };
}

/** Time limit of one exchange, in milliseconds. */
const exchangeTimeLimit = 10_000;

/** Validity of a code, in milliseconds (docs/conformance.md, 3.2). */
const codeLifetime = 60_000;

/** The source of each document. A component that mounts again reuses it, as the address has no code then. */
const sources = new WeakMap<EventTarget, TokenSource>();

/**
 * A source for the token of a hosted link, whose fragment `#c=` contains a code that is valid once and
 * for a minute. The code is removed from the address synchronously, before other code can read it. A
 * prerendered page exchanges the code when the page is shown. The token can't be renewed.
 *
 * A failed exchange is retried while the code can be valid. After that, calls that need a token
 * reject with `EMBED_TOKEN_EXPIRED`.
 */
export function hostedCode(page: HostedPage = globalThis): TokenSource {
  const parts = page.location.hash.slice(1).split('&');
  const rest = parts.filter((part) => !part.startsWith('c='));
  const existing = sources.get(page.document);
  if (existing && rest.length === parts.length) return existing;
  const code = readCode(page.location.hash);
  if (rest.length < parts.length) replaceFragment(page, rest.join('&'));
  // All requests share one exchange. A failed exchange is retried. If the response was lost after the code
  // was used, the retry fails with `NOT_FOUND`.
  let exchange: Promise<string> | null = null;
  const source: TokenSource = {
    renewable: false,
    ready: whenActivated(page.document),
    validForMs: codeLifetime,
    request(request) {
      exchange ??= withTimeout(
        request.ports.clock,
        exchangeTimeLimit,
        new AbortController().signal,
        timeoutError,
        (signal) => exchangeCode(code, { ...request, signal }),
      ).catch((error: unknown) => {
        exchange = null;
        throw error;
      });
      return exchange;
    },
  };
  sources.set(page.document, source);
  return source;
}

function timeoutError(): InlayError {
  return networkError('The exchange of the hosted link’s code got no response.');
}

async function exchangeCode(code: string | null, request: TokenRequest): Promise<string> {
  if (code === null) {
    throw new InlayError('NOT_FOUND', 'This address contains no valid code. Request a new link.');
  }
  const response = await postWithoutToken(request, '/embed/exchange', { code }, readExchange);
  return response.token;
}

/** Returns the first valid code of a fragment; null without one. */
export function readCode(hash: string): string | null {
  return /(?:^#|&)c=([\w-]{8,256})(?:&|$)/.exec(hash)?.[1] ?? null;
}

/** Replaces the fragment, and keeps the history entry with a router's state. */
function replaceFragment({ location, history }: HostedPage, hash: string): void {
  const url = new URL(location.href);
  url.hash = hash;
  history.replaceState(history.state, '', url.href);
}

function whenActivated(document: HostedPage['document']): Promise<void> {
  if (document.prerendering !== true) return Promise.resolve();
  return new Promise((resolve) =>
    document.addEventListener('prerenderingchange', () => resolve(), { once: true }),
  );
}
