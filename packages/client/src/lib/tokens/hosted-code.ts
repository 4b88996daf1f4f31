import { InlayError } from '../errors.ts';
import { postWithoutToken } from '../http/post-without-token.ts';
import { withTimeout } from '../wait.ts';
import { readExchange } from '../wire/answers.ts';
import type { TokenRequest, TokenSource } from './token-source.ts';

/** The part of a page that a hosted link touches; `window` has all of it. */
export interface HostedPage {
  readonly location: { readonly href: string; readonly hash: string };
  readonly history: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, url: string): void;
  };
  readonly document: EventTarget & { readonly prerendering?: boolean };
}

/** How long one exchange may take, in milliseconds. */
const limit = 10_000;

/** How long the platform accepts a code, in milliseconds (service reference, section 3.2). */
const codeLife = 60_000;

/** A component that is mounted twice finds the code of its page again, though the address has it no more. */
const sources = new WeakMap<EventTarget, TokenSource>();

/**
 * The token of a hosted link: its `#c=` holds a code that works once, within a minute. The code is
 * read and taken out of the address here and now, before anything else can see it. A page that is
 * only prerendered exchanges nothing. There is no second token: the end of the first is the end.
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
  // One exchange, however often it is asked for, and whoever of them leaves. A failed one may be
  // tried again: if the code was used up without an answer, the platform says so.
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
  return new InlayError('NETWORK_ERROR', 'The exchange was not answered.', { retryable: true });
}

async function exchangeCode(code: string | null, request: TokenRequest): Promise<string> {
  if (code === null) {
    throw new InlayError('NOT_FOUND', 'This address holds no valid code. Ask for a new link.');
  }
  const answer = await postWithoutToken(request, '/embed/exchange', { code }, readExchange);
  return answer.token;
}

/** The first valid code of a fragment; null without one. */
export function readCode(hash: string): string | null {
  return /(?:^#|&)c=([\w-]{8,256})(?:&|$)/.exec(hash)?.[1] ?? null;
}

/** Keeps the history's entry and a router's state, and leaves no `#` behind. */
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
