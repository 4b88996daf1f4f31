import type { EmbedConfig } from '@inlay/protocol';
import { InlayError } from '../errors.ts';
import type { AgentApi } from '../http/api.ts';
import { readBody, requestInit, sendRequest } from '../http/request.ts';
import type { Clock, Ports } from '../ports.ts';
import { readConfig } from '../responses/read-responses.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { Pause, withTimeout } from '../wait.ts';
import { explainToken, explainUnknownKey } from './check-token.ts';
import {
  type Finding,
  factsOf,
  failedFinding,
  formatDuration,
  okFinding,
  skippedFinding,
  skippedFindingFor,
  tryAction,
  warningFinding,
} from './findings.ts';

/** The parts of the client that a diagnosis uses. */
export interface DiagnosisContext {
  readonly ports: Ports;
  readonly tokens: TokenManager;
  readonly platform: AgentApi;
  readonly source: TokenSource;
}

/** The platform's response to the client's token, or the cause of a missing token. */
export interface AccessAttempt {
  readonly hasToken: boolean;
  /** Why there is no token; null if there is one, or if requesting it would use up a code. */
  readonly tokenError: InlayError | null;
  /** The platform's rejection of the request; null if it was accepted. Never null without a token. */
  readonly rejection: InlayError | null;
  /** The platform's clock minus this machine's, in milliseconds; null if unknown. */
  readonly offset: number | null;
  /** The publishable key of the token source; null without one. */
  readonly publishableKey: string | null;
}

/** Time limit of a request, including a token refresh and waits for `Retry-After`, in milliseconds. */
const requestTimeout = 20_000;

function timeoutError(): InlayError {
  return new InlayError('TOO_LATE', 'There was no response within 20 seconds.');
}

/** An invalid token, with which a request needs the same CORS permissions as with a valid one. */
const invalidToken = 'et_diagnosis';

/** Requests the configuration with the client's token, or with an invalid token. */
export async function attemptAccess(
  context: DiagnosisContext,
  signal: AbortSignal,
): Promise<AccessAttempt> {
  const { ports, platform } = context;
  const wouldUseUpCode = usesUpCode(context);
  const tokenError = wouldUseUpCode ? null : await findTokenError(context, signal);
  const hasToken = !wouldUseUpCode && tokenError === null;

  const path = '/embed/config';
  let before = 0;
  const { value, error } = await tryAction<EmbedConfig>(async () => {
    const request = (attemptSignal: AbortSignal) => {
      before = ports.clock.now();
      return hasToken
        ? platform.send(path, { signal: attemptSignal })
        : sendRequest(ports.fetch, platform.url(path), {
            ...requestInit(invalidToken),
            signal: attemptSignal,
          });
    };
    const response = await withTimeout(
      ports.clock,
      requestTimeout,
      signal,
      timeoutError,
      (limited) => repeatAfterRateLimits(() => request(limited), ports.clock, limited),
    );
    return readBody(response, readConfig);
  });
  const midpoint = (before + ports.clock.now()) / 2;
  const offset = value && Date.parse(value.server_time) - midpoint;
  const publishableKey = context.source.publishableKey ?? null;
  return { hasToken, tokenError, rejection: error, offset, publishableKey };
}

/** Sends a request, and repeats it after the `Retry-After` of a rate limit if the time limit allows. */
async function repeatAfterRateLimits<Value>(
  request: () => Promise<Value>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Value> {
  const end = clock.mono() + requestTimeout;
  for (;;) {
    const { value, error } = await tryAction(request);
    if (!error) return value;
    const wait = rateLimitWait(error);
    if (wait === null || clock.mono() + wait >= end) throw error;
    await new Pause(clock).wait(wait, signal);
  }
}

/** The shortest wait before a request is repeated, in milliseconds: `Retry-After` may be 0. */
const minWait = 500;

/**
 * Returns how long a rate limit lasts, in milliseconds: until then, the platform does not send the response
 * that the diagnosis needs. Null for other errors, and for a limit that lasts longer than a diagnosis.
 */
function rateLimitWait({ status, retryAfterMs }: InlayError): number | null {
  const isShort = status === 429 && retryAfterMs !== null && retryAfterMs < requestTimeout;
  return isShort ? Math.max(retryAfterMs, minWait) : null;
}

/** Interval at which the token manager is checked for a failure, in milliseconds. */
const checkInterval = 100;

/**
 * Resolves with null when there is a token, or with the first failure that is not a short rate limit.
 * Other callers of `get` do not see that failure, because they wait for the retries.
 */
async function findTokenError(
  { tokens, ports }: DiagnosisContext,
  signal: AbortSignal,
): Promise<InlayError | null> {
  const stopChecking = new AbortController();
  const firstFailure = async () => {
    const pause = new Pause(ports.clock);
    const hasFailed = () => tokens.failure !== null && rateLimitWait(tokens.failure) === null;
    while (!hasFailed() && !stopChecking.signal.aborted)
      await pause.wait(checkInterval, stopChecking.signal);
    return tokens.failure;
  };
  try {
    const tokenResult = tryAction(() => tokens.get(signal)).then(({ error }) => error);
    return await Promise.race([tokenResult, firstFailure()]);
  } finally {
    stopChecking.abort();
  }
}

/** Whether requesting a token would use up a one-time code. */
function usesUpCode({ tokens, source }: DiagnosisContext): boolean {
  return !source.renewable && tokens.state.externalUserId === null && !tokens.ended;
}

/**
 * Returns the findings of the checks that depend on the platform's response. `skipped` is the finding of the
 * checks that need a valid token; null if they can be done next.
 */
export function checkAccess(access: AccessAttempt, origin: string) {
  const { offset } = access;
  const originFinding = checkOrigin(access, origin);
  const skipped = skippedFindingFor(originFinding.outcome === 'failed' ? 'origin' : 'token');
  return {
    token: checkToken(access),
    clock: offset === null ? skipped : checkClock(offset),
    origin: originFinding,
    cors: okFinding('The page may read the platform’s responses.'),
    skipped: offset === null ? skipped : null,
  };
}

function checkToken({ hasToken, tokenError, rejection, publishableKey }: AccessAttempt): Finding {
  if (publishableKey !== null && tokenError?.problem && tokenError.status === 401) {
    return explainUnknownKey(publishableKey, tokenError);
  }
  const error = tokenError ?? (hasToken ? rejection : null);
  if (error) return explainToken(error);
  return hasToken
    ? okFinding('There is a token, and the platform accepts it.')
    : skippedFinding(
        'There is no token yet, and requesting one would use up the code of the hosted link.',
      );
}

function checkOrigin({ hasToken, tokenError, rejection }: AccessAttempt, origin: string): Finding {
  const denied = [tokenError, rejection].find(
    (error) => error?.code === 'EMBED_ORIGIN_NOT_ALLOWED',
  );
  if (denied) {
    return failedFinding(
      `Pages of ${origin} may not use this agent.`,
      origin === 'null'
        ? 'Such a page is a file, or in a frame whose sandbox lacks allow-same-origin, and cannot be allowed. Serve it over http or https, or add allow-same-origin.'
        : `Add exactly ${origin} to allowed_origins of the agent’s embed policy, and to those of the token or the publishable key if they have their own list.`,
      { origin, ...factsOf(denied) },
    );
  }
  return hasToken && !rejection
    ? okFinding(`Pages of ${origin} may use this agent.`, { origin })
    : skippedFinding(
        `The platform accepts requests from pages of ${origin}. Whether this agent may be used there can be checked only with a valid token.`,
      );
}

/** Maximum clock difference that is not reported, in milliseconds. */
const maxToleratedOffset = 60_000;

function checkClock(offset: number): Finding {
  const facts = { offsetSeconds: Math.round(offset / 1000) };
  if (Math.abs(offset) <= maxToleratedOffset) {
    return okFinding('This machine’s clock agrees with the platform’s.', facts);
  }
  const side = offset > 0 ? 'behind' : 'ahead of';
  return warningFinding(
    `This machine’s clock is ${formatDuration(Math.abs(offset))} ${side} the platform’s. The chat still works, because it measures a token’s lifetime from its receipt; sign-ins and certificates may fail.`,
    'Synchronize the wrong clock with a time server: this machine’s, or the server’s.',
    facts,
  );
}
