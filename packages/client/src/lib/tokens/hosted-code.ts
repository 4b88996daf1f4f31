import { InlayError } from '../errors.ts';
import { postWithoutToken } from '../http/post-without-token.ts';
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

/**
 * The token of a hosted link: its `#c=` holds a code that works once, within a minute. The code is
 * read and taken out of the address here and now, before anything else can see it. A page that is
 * only prerendered exchanges nothing. There is no second token: the end of the first is the end.
 */
export function hostedCode(page: HostedPage = globalThis): TokenSource {
  const code = readCode(page.location.hash);
  if (/^#(?:.*&)?c=/.test(page.location.hash)) scrub(page);
  // One exchange, however often it is asked for. A failed one may be tried again: if the code was
  // used up without an answer, the platform says so.
  let exchange: Promise<string> | null = null;
  return {
    renewable: false,
    ready: activated(page.document),
    request(request) {
      exchange ??= exchangeCode(code, request).catch((error: unknown) => {
        exchange = null;
        throw error;
      });
      return exchange;
    },
  };
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
  for (const part of hash.replace(/^#/, '').split('&')) {
    if (part.startsWith('c=') && /^[A-Za-z0-9_-]{8,256}$/.test(part.slice(2))) return part.slice(2);
  }
  return null;
}

/** Keeps the history's entry and a router's state, and leaves no `#` behind. */
function scrub(page: HostedPage): void {
  const url = new URL(page.location.href);
  const rest = url.hash
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith('c='))
    .join('&');
  url.hash = rest;
  page.history.replaceState(page.history.state, '', url.href);
}

function activated(document: HostedPage['document']): Promise<void> {
  if (document.prerendering !== true) return Promise.resolve();
  return new Promise((resolve) =>
    document.addEventListener('prerenderingchange', () => resolve(), { once: true }),
  );
}
