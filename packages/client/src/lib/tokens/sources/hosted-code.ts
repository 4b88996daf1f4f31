import { InlayError } from '../../errors.ts';
import { postWithoutToken } from '../../http/request.ts';
import { withTimeout } from '../../wait.ts';
import { readExchange } from '../../wire/answers.ts';
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
const limit = 10_000;

/** How long the platform accepts a code, in milliseconds (service reference, section 3.2). */
const codeLife = 60_000;

/** The source of each page: a component that mounts again needs it when the address has no code left. */
const sources = new WeakMap<EventTarget, TokenSource>();

/**
 * A source with the token of a hosted link, whose fragment `#c=` holds a code that is valid once and
 * for a minute. The code is removed from the address synchronously, before other code can read it. A
 * page that is being prerendered exchanges it once it is shown. The token can't be renewed.
 *
 * A failed exchange is retried while the code can be valid. After that, calls that need a token
 * reject with `EMBED_TOKEN_EXPIRED`.
 */
export function hostedCode(page: HostedPage = globalThis): TokenSource {
  const parts = page.location.hash.slice(1).split('&');
  const rest = parts.filter((part) => !part.startsWith('c='));
  const former = sources.get(page.document);
  if (former && rest.length === parts.length) return former;
  const code = readCode(page.location.hash);
  if (rest.length < parts.length) scrub(page, rest.join('&'));
  // All requests share one exchange. A failed one can be retried: if the code was used although the
  // response was lost, the platform answers that it was.
  let exchange: Promise<string> | null = null;
  const source: TokenSource = {
    renewable: false,
    ready: activated(page.document),
    askableFor: codeLife,
    request(request) {
      exchange ??= withTimeout(
        request.ports.clock,
        limit,
        new AbortController().signal,
        late,
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

function late(): InlayError {
  return new InlayError('NETWORK_ERROR', 'The exchange got no response.', { retryable: true });
}

async function exchangeCode(code: string | null, request: TokenRequest): Promise<string> {
  if (code === null) {
    throw new InlayError('NOT_FOUND', 'This address holds no valid code. Ask for a new link.');
  }
  const answer = await postWithoutToken(request, '/embed/exchange', { code }, readExchange);
  return answer.token;
}

/** Returns the first valid code of a fragment; null without one. */
export function readCode(hash: string): string | null {
  return /(?:^#|&)c=([\w-]{8,256})(?:&|$)/.exec(hash)?.[1] ?? null;
}

/** Replaces the fragment, and keeps the history entry with a router's state. */
function scrub({ location, history }: HostedPage, hash: string): void {
  const url = new URL(location.href);
  url.hash = hash;
  history.replaceState(history.state, '', url.href);
}

function activated(document: HostedPage['document']): Promise<void> {
  if (document.prerendering !== true) return Promise.resolve();
  return new Promise((resolve) =>
    document.addEventListener('prerenderingchange', () => resolve(), { once: true }),
  );
}
