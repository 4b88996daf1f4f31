import type { EmbedConfig } from '@inlay/protocol';
import { InlayError } from '../errors.ts';
import type { AgentApi } from '../http/api.ts';
import { readBody, requestInit, sendRequest } from '../http/request.ts';
import type { Ports } from '../ports.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { Pause, withTimeout } from '../wait.ts';
import { readConfig } from '../wire/answers.ts';
import { attempt } from './attempt.ts';
import { explainToken, unknownKey } from './check-token.ts';
import { factsOf, spoken } from './facts.ts';
import { type Finding, failed, ok, skipped, skippedFor, warning } from './finding.ts';

/** The parts of the client that a diagnosis uses. */
export interface DiagnosisContext {
  readonly ports: Ports;
  readonly tokens: TokenManager;
  readonly platform: AgentApi;
  readonly source: TokenSource;
}

/** The platform's response to the client's token, or the cause of a missing one. */
export interface Session {
  /** Whether there is a token. */
  readonly signed: boolean;
  /** Why there is no token; null if requesting one would use up a code. */
  readonly tokenError: InlayError | null;
  /** The platform's refusal. There is always one without a token. */
  readonly refusal: InlayError | null;
  /** The platform's clock minus this machine's, in milliseconds; null if unknown. */
  readonly offset: number | null;
  /** The publishable key of the token source; null without one. */
  readonly publishableKey: string | null;
}

/** Time limit including a token refresh, in milliseconds. */
const limit = 20_000;

function late(): InlayError {
  return new InlayError('TOO_LATE', 'There was no answer within 20 seconds.');
}

/** An invalid token. Requests with it need the same CORS permissions. */
const noToken = 'et_diagnosis';

/** Requests the configuration with the client's token, or with an invalid one. */
export async function openSession(
  context: DiagnosisContext,
  signal: AbortSignal,
): Promise<Session> {
  const { ports, platform } = context;
  const spared = usesUp(context);
  const tokenError = spared ? null : await whyNoToken(context, signal);
  const signed = !spared && tokenError === null;

  const path = '/embed/config';
  const before = ports.clock.now();
  const { value, error } = await attempt<EmbedConfig>(async () => {
    const ask = (part: AbortSignal) =>
      signed
        ? platform.send(path, { signal: part })
        : sendRequest(ports.fetch, platform.url(path), { ...requestInit(noToken), signal: part });
    const response = await withTimeout(ports.clock, limit, signal, late, ask);
    return readBody(response, readConfig);
  });
  const middle = (before + ports.clock.now()) / 2;
  const offset = value && Date.parse(value.server_time) - middle;
  const publishableKey = context.source.publishableKey ?? null;
  return { signed, tokenError, refusal: error, offset, publishableKey };
}

/** Interval of checks for a failed attempt, in milliseconds. */
const look = 100;

/**
 * Resolves with null when there is a token, or with the first failure, which other callers do not see
 * because they wait for the retries.
 */
async function whyNoToken(
  { tokens, ports }: DiagnosisContext,
  signal: AbortSignal,
): Promise<InlayError | null> {
  const looking = new AbortController();
  const failure = async () => {
    const pause = new Pause(ports.clock);
    while (!tokens.failure && !looking.signal.aborted) await pause.wait(look, looking.signal);
    return tokens.failure;
  };
  try {
    const got = attempt(() => tokens.get(signal)).then(({ error }) => error);
    return await Promise.race([got, failure()]);
  } finally {
    looking.abort();
  }
}

/** Whether requesting a token would use up a one-time code. */
function usesUp({ tokens, source }: DiagnosisContext): boolean {
  return !source.renewable && tokens.state.externalUserId === null && !tokens.ended;
}

/** Returns the findings from the platform's response. */
export function checkSession(session: Session, origin: string) {
  const { offset } = session;
  const originFinding = lookAtOrigin(session, origin);
  const missing = skippedFor(originFinding.outcome === 'failed' ? 'origin' : 'token');
  return {
    token: lookAtToken(session),
    clock: offset === null ? missing : lookAtClock(offset),
    origin: originFinding,
    cors: ok('The page may read what the platform answers.'),
    streaming: offset === null ? missing : null,
  };
}

function lookAtToken({ signed, tokenError, refusal, publishableKey }: Session): Finding {
  if (publishableKey !== null && tokenError?.problem && tokenError.status === 401) {
    return unknownKey(publishableKey, tokenError);
  }
  const error = tokenError ?? (signed ? refusal : null);
  if (error) return explainToken(error);
  return signed
    ? ok('There is a token, and the platform takes it.')
    : skipped(
        'There is no token yet, and asking for one would use up the code of the hosted link.',
      );
}

function lookAtOrigin({ signed, tokenError, refusal }: Session, origin: string): Finding {
  const denied = [tokenError, refusal].find((error) => error?.code === 'EMBED_ORIGIN_NOT_ALLOWED');
  if (denied) {
    return failed(
      `Pages of ${origin} may not use this agent.`,
      `Add ${origin}, exactly so, to allowed_origins of the agent’s embed policy, and to those of the token or the publishable key where they have a list of their own.`,
      { origin, ...factsOf(denied) },
    );
  }
  return signed && !refusal
    ? ok(`Pages of ${origin} may use this agent.`, { origin })
    : skipped(
        `The platform knows ${origin}. Whether this agent may be used there shows once there is a token that it takes.`,
      );
}

/** Smallest reported clock difference, in milliseconds. */
const bearable = 60_000;

function lookAtClock(offset: number): Finding {
  const facts = { offsetSeconds: Math.round(offset / 1000) };
  if (Math.abs(offset) <= bearable) {
    return ok('This machine’s clock and the platform’s agree.', facts);
  }
  const side = offset > 0 ? 'behind' : 'ahead of';
  return warning(
    `This machine’s clock is ${spoken(Math.abs(offset))} ${side} the platform’s. The chat counts from its own receipt of a token and bears that; sign-ins and certificates may not.`,
    'Set the clock that is wrong by the network’s time: this machine’s, or the server’s.',
    facts,
  );
}
