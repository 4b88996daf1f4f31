import type { InlayError } from '../errors.ts';
import { agentPath } from '../http/request.ts';
import {
  type Finding,
  factsOf,
  failedFinding,
  matchingText,
  plainAddress,
  skippedFindingFor,
  warningFinding,
} from './findings.ts';

const endpointText = 'your backend’s token endpoint';

/** Explains why there is no token, or why the platform rejects it. */
export function explainToken(error: InlayError): Finding {
  const facts = factsOf(error);
  const [cause, remedy] = explanations.get(error.code) ?? explainByStatus(error);
  if (error.code === 'EMBED_ORIGIN_NOT_ALLOWED') return skippedFindingFor('origin');
  const finding = temporaryCodes.has(error.code) ? warningFinding : failedFinding;
  return finding(cause, remedy, facts);
}

/** Explains why the platform issues no token for a publishable key. */
export function explainUnknownKey(publishableKey: string, error: InlayError): Finding {
  const key = matchingText(publishableKey, /^[\w-]{1,100}$/);
  return failedFinding(
    `The platform does not know the publishable key${key ? ` “${key}”` : ''}, or the key has expired.`,
    'Set publishable-key to one of the agent’s publishable_keys, and check that base-url is the address of the platform that has this agent.',
    factsOf(error),
  );
}

/** Codes with which the platform rejects a valid token temporarily. */
const temporaryCodes: ReadonlySet<string> = new Set(['EMBED_BUDGET_EXCEEDED', 'RATE_LIMITED']);

type Explanation = readonly [cause: string, remedy: string];

const explanations: ReadonlyMap<string, Explanation> = new Map(
  Object.entries<Explanation>({
    AUTH_DENIED: [
      'The host page provided no token: getToken returned nothing, or the token endpoint responded with 401. Usually this means that no user is signed in.',
      `Sign in on this site. If a user is signed in, check that the request to ${endpointText} sends the session cookie, and that the endpoint identifies the user by it.`,
    ],
    TOKEN_REENTRANCY: [
      'getToken called a function of this client, which itself waits for getToken.',
      `Let getToken request ${endpointText} directly, with fetch.`,
    ],
    AUTHENTICATION_ERROR: [
      'The platform does not know this token. It was issued by another platform, or before this one lost its data.',
      'Check that base-url on the page and baseUrl in your backend are the same platform, and that the endpoint issues a new token on every call instead of caching one.',
    ],
    EMBED_TOKEN_EXPIRED: [
      'The token has expired, and there was no new valid one.',
      `Let ${endpointText} issue a new token on every call. A hosted link is valid as long as its token: request a new link.`,
    ],
    EMBED_TOKEN_REVOKED: [
      'The token was revoked, and there was no new one.',
      'Revoking ends a user’s access. If the user should have access, reconnect, which requests a new token.',
    ],
    EMBED_USER_BLOCKED: [
      'The platform blocks this end user.',
      'If this is not intended, unblock the user: platform.endUsers.unblock(agent, id) in your backend.',
    ],
    EMBED_QUOTA_EXCEEDED: [
      'The daily quota is used up. It is reset at the next UTC day.',
      'Wait, or raise the limits of the publishable key or of the agent’s embed policy.',
    ],
    EMBED_BUDGET_EXCEEDED: [
      'The token is valid, but the budget of this conversation is used up.',
      'Start a new conversation, or raise the budget in the agent’s embed policy.',
    ],
    RATE_LIMITED: [
      'The token is valid, but this end user has sent requests too often.',
      'Wait a moment. If the problem persists, find out what sends so many requests.',
    ],
  }),
);

/** Returns the address in a message of `fetchToken`, without parts that may be secret. */
function addressIn(message: string): string {
  const [, text = ''] = /^The token endpoint (\S+) responded with \d/.exec(message) ?? [];
  const base = globalThis.location?.href;
  return URL.canParse(text, base) ? ` ${plainAddress(new URL(text, base).href)}` : '';
}

function explainByStatus({ code, status, message, problem, retryable }: InlayError): Explanation {
  if (problem) return explainRejection(status);
  if (code === 'NOT_FOUND') {
    return ['This address contains no code of a hosted link.', 'Request a new link.'];
  }
  if (code === 'INVALID_TOKEN_FROM_HOST' && status !== null) {
    return [
      `The token endpoint${addressIn(message)} responded with ${status}, but not with JSON that has token and expires_at. Often a sign-in page or the start page of a single-page app responds instead.`,
      'Open the request in the browser’s network panel. Respond with { token, expires_at } as received from the platform, for example with createTokenEndpoint of @inlay/node.',
    ];
  }
  if (code === 'INVALID_TOKEN_FROM_HOST') {
    // Only messages of this library are quoted: the host page's own messages may contain secrets.
    const known = /^getToken returned (?:something that is not a token: |a token|the token)/;
    return [
      known.test(message) ? message : 'getToken returned something that is not a token.',
      'Return the token as a string, or { token, expires_at } as received from the platform, and a new token on every call.',
    ];
  }
  if (code === 'MISCONFIGURED') {
    return [
      `The token endpoint${addressIn(message)} responded with ${status} (MISCONFIGURED): its API key, its agent or the policy of the agent is wrong.`,
      'Check your backend’s log, which names which of them. The chat asks again when the page is reloaded.',
    ];
  }
  if (status === 403 || (status !== null && !retryable)) {
    return [
      `The token endpoint${addressIn(message)} responded with ${status}: it rejects this page or this user.`,
      'Let it allow the origin of this page. To deny a user access, it should respond with 401, or with 403 and a code such as EMBED_USER_BLOCKED.',
    ];
  }
  if (status !== null) {
    return [
      `The token endpoint${addressIn(message)} responded with ${status}.`,
      status >= 500
        ? 'Check your backend’s log. Often its API key or its address of the platform is wrong, or it can’t reach the platform.'
        : 'Check that token-url is the address of the endpoint, and that it accepts POST.',
    ];
  }
  if (message.startsWith('No token within')) {
    return [
      'getToken did not settle within 10 seconds.',
      `Check what ${endpointText} waits for. A getToken that awaits a function of this client waits for itself.`,
    ];
  }
  const request = lastFailedRequest();
  const known = request
    ? ` The last failed request of this page is ${request.address}, with ${request.status}.`
    : '';
  return [
    `getToken failed: it threw an error, or its request got no response. The error is omitted here, because it may quote a secret.${known}`,
    `Check the request to ${endpointText} in the browser’s network panel: its address and, if it has another origin, its CORS headers.`,
  ];
}

/** Returns the last failed request that is not the client's: most probably that of `getToken`. */
function lastFailedRequest(): { address: string; status: number } | null {
  const entries = globalThis.performance?.getEntriesByType?.('resource') ?? [];
  const last = (entries as PerformanceResourceTiming[]).findLast(
    ({ name, initiatorType, responseStatus }) =>
      initiatorType === 'fetch' && responseStatus >= 400 && !name.includes(agentPath),
  );
  return last ? { address: plainAddress(last.name), status: last.responseStatus } : null;
}

/** Explains why the platform issues no token for a visitor or a hosted link. */
function explainRejection(status: number | null): Explanation {
  if (status !== null && status >= 500) {
    return ['The platform could not issue a token.', 'Check the platform’s log.'];
  }
  return [
    'The platform issues no token: the hosted link was used before or has expired, or something that the host’s backend requested does not exist.',
    'For a hosted page, request a new link. Otherwise check the log of your backend.',
  ];
}
