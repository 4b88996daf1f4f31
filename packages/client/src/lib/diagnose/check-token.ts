import type { InlayError } from '../errors.ts';
import { agentPath } from '../http/request.ts';
import { factsOf, plainAddress, shaped } from './facts.ts';
import { type Finding, failed, skippedFor, warning } from './finding.ts';

const endpoint = 'your backend’s token endpoint';

/** Explains why there is no token, or why the platform refuses it. */
export function explainToken(error: InlayError): Finding {
  const facts = factsOf(error);
  const [cause, remedy] = explanations[error.code] ?? explainByStatus(error);
  if (error.code === 'EMBED_ORIGIN_NOT_ALLOWED') return skippedFor('origin');
  const finding = passing.has(error.code) ? warning : failed;
  return finding(cause, remedy, facts);
}

/** The platform issues no token for a publishable key that is unknown or expired. */
export function unknownKey(publishableKey: string, error: InlayError): Finding {
  const key = shaped(publishableKey, /^[\w-]{1,100}$/);
  return failed(
    `The platform does not know the publishable key${key ? ` “${key}”` : ''}, or the key has ended.`,
    'Set publishable-key to one of the agent’s publishable_keys, and see that base-url names the platform that has this agent.',
    factsOf(error),
  );
}

/** Codes of temporary refusals of a valid token: quota, budget and rate limit. */
const passing: ReadonlySet<string> = new Set(['EMBED_BUDGET_EXCEEDED', 'RATE_LIMITED']);

type Explanation = readonly [cause: string, remedy: string];

const explanations: Readonly<Record<string, Explanation>> = {
  AUTH_DENIED: [
    'The host gave no token: getToken returned nothing, or the token endpoint answered 401. For most hosts that means that no user is signed in.',
    `Sign in on this site. If a user is signed in, check that the request to ${endpoint} has the session cookie, and that the endpoint finds the user by it.`,
  ],
  TOKEN_REENTRANCY: [
    'getToken called something of this client, which itself waits for getToken.',
    `Let getToken ask ${endpoint} directly, with fetch.`,
  ],
  AUTHENTICATION_ERROR: [
    'The platform does not know this token. It was issued by another platform, or before this one lost its data.',
    'See that base-url on the page and baseUrl in your backend name the same platform, and that the endpoint issues a new token on every call instead of keeping one.',
  ],
  EMBED_TOKEN_EXPIRED: [
    'The token has run out, and there was no new one that works.',
    `Let ${endpoint} issue a new token on every call. A hosted link lives as long as its one token: ask for a new link.`,
  ],
  EMBED_TOKEN_REVOKED: [
    'The token was revoked, and there was no new one.',
    'That is what revoking is for. If the person may talk, reconnect, which asks for a new token.',
  ],
  EMBED_USER_BLOCKED: [
    'The platform blocks this end user.',
    'If that is not meant to be, unblock them: platform.endUsers.unblock(agent, id) in your backend.',
  ],
  EMBED_QUOTA_EXCEEDED: [
    'The quota of the day is used up. It comes back with the next UTC day.',
    'Wait, or raise the caps of the publishable key or of the agent’s embed policy.',
  ],
  EMBED_BUDGET_EXCEEDED: [
    'The token is good; the budget of this conversation is used up.',
    'Begin a new conversation, or raise the budget in the agent’s embed policy.',
  ],
  RATE_LIMITED: [
    'The token is good; this end user has asked too often just now.',
    'Wait a moment. If it stays, look for what asks so often.',
  ],
};

/** Returns the address in a message of `fetchToken`, without parts that may be secret. */
function addressIn(message: string): string {
  const [, text = ''] = /^The token endpoint (\S+) answered \d/.exec(message) ?? [];
  const base = globalThis.location?.href;
  return URL.canParse(text, base) ? ` ${plainAddress(new URL(text, base).href)}` : '';
}

function explainByStatus({ code, status, message, problem, retryable }: InlayError): Explanation {
  if (problem) return explainRefusal(status);
  if (code === 'NOT_FOUND') {
    return ['This address holds no code of a hosted link.', 'Ask for a new link.'];
  }
  if (code === 'INVALID_TOKEN_FROM_HOST' && status !== null) {
    return [
      `The token endpoint${addressIn(message)} answered ${status}, but not with JSON that holds token and expires_at. A sign-in page, or the start page of a single-page app, often answers in its place.`,
      'Open the request in the browser’s network panel. Answer { token, expires_at } as the platform gave it, for example with createTokenEndpoint of @inlay/node.',
    ];
  }
  if (code === 'INVALID_TOKEN_FROM_HOST') {
    // Only messages of `fetchToken` are quoted: a host's own message may have secrets.
    const known = /^getToken gave (?:something that is not a token: |a token|the very)/;
    return [
      known.test(message) ? message : 'getToken gave something that is not a token.',
      'Return the token as a string, or { token, expires_at } as the platform answered it, and a new one on every call.',
    ];
  }
  if (status === 403 || (status !== null && !retryable)) {
    return [
      `The token endpoint${addressIn(message)} answered ${status}: it refuses this page or this person.`,
      'Let it allow the origin of this page. To say that a person may not talk it answers 401, or 403 with a code such as EMBED_USER_BLOCKED.',
    ];
  }
  if (status !== null) {
    return [
      `The token endpoint${addressIn(message)} answered ${status}.`,
      status >= 500
        ? 'Look at your backend’s log. Often its API key or the platform’s address in it is wrong, or the platform can’t be reached from there.'
        : 'See that token-url is the address of the endpoint, and that it takes POST.',
    ];
  }
  if (message.startsWith('No token within')) {
    return [
      'getToken gave no answer within 10 seconds.',
      `See what ${endpoint} waits for. A getToken that awaits something of this client waits for itself.`,
    ];
  }
  const request = lastRefusedRequest();
  const known = request
    ? ` The last request of this page that was refused is ${request.address}, with ${request.status}.`
    : '';
  return [
    `getToken failed: it threw an error, or its request found no answer. What it threw is left out here, because it may quote a secret.${known}`,
    `Look at the request to ${endpoint} in the browser’s network panel: its address, and, where it is another origin, its CORS headers.`,
  ];
}

/** The address of the blocked request without its query: most probably the request of getToken. */
function lastRefusedRequest(): { address: string; status: number } | null {
  const entries = globalThis.performance?.getEntriesByType?.('resource') ?? [];
  const last = (entries as PerformanceResourceTiming[]).findLast(
    ({ name, initiatorType, responseStatus }) =>
      initiatorType === 'fetch' && responseStatus >= 400 && !name.includes(agentPath),
  );
  return last ? { address: plainAddress(last.name), status: last.responseStatus } : null;
}

/** The platform issues the tokens of visitors and hosted links. */
function explainRefusal(status: number | null): Explanation {
  if (status !== null && status >= 500) {
    return ['The platform could not issue a token.', 'Look at the platform’s log.'];
  }
  return [
    'The platform issues no token for this: the link of a hosted page was used before or has expired, or what the host’s backend asked for is not there.',
    'For a hosted page, ask for a new link. Otherwise look at the log of your backend.',
  ];
}
