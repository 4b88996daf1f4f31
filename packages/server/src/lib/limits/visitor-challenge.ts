import type { Kysely } from 'kysely';
import type { AgentKey } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { utcDay } from '../clock.ts';
import type { ChallengeAnswer } from '../config/visitor-challenge.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema } from '../store/schema.ts';
import { isKnownVisitor, readDay, toMicrocents } from './key-reserve.ts';

type ChallengeServices = Pick<ServiceOptions, 'store' | 'clock' | 'config' | 'secret' | 'log'>;

/** Milliseconds after which the verification of an answer fails. */
const verifyTimeout = 5000;

/** A visitor who may have to pass the challenge; null for one that is about to be created. */
type Visitor = { readonly agentId: string; readonly externalUserId: string } | null;

/**
 * Checks the answer to the challenge, if the visitor has to pass it.
 *
 * @returns Whether the visitor passed the challenge with this answer.
 * @throws `EMBED_CHALLENGE_REQUIRED` without a correct answer; `SERVICE_UNAVAILABLE` if it cannot be
 *   verified.
 */
export async function passChallenge(
  services: ChallengeServices,
  key: AgentKey,
  visitor: Visitor,
  answer: Omit<ChallengeAnswer, 'answer'> & { readonly answer: string | undefined },
): Promise<boolean> {
  if (!(await mustPassChallenge(services, services.store.db, key, visitor))) return false;
  const { config } = services;
  const details = { site_key: config.visitor_challenge?.site_key ?? null };
  if (answer.answer === undefined) {
    throw new ApiError(
      'EMBED_CHALLENGE_REQUIRED',
      'Many visitors came today. Send the answer to the challenge as `challenge_answer`.',
      { details },
    );
  }
  if (await isCorrect(services, { ...answer, answer: answer.answer })) return true;
  throw new ApiError(
    'EMBED_CHALLENGE_REQUIRED',
    'The answer to the challenge is not correct, or was used before. Answer it again.',
    { details },
  );
}

/**
 * Rejects the token of a visitor who has to pass the challenge first. The client then requests another
 * token, and the response to that request asks for the answer.
 *
 * @throws `EMBED_TOKEN_EXPIRED`
 */
export async function requirePassedChallenge(
  services: Pick<ServiceOptions, 'clock' | 'config'> & { readonly agents: AgentRegistry },
  db: Kysely<Schema>,
  visitor: { readonly publishableKey: string; readonly externalUserId: string },
): Promise<void> {
  const found = services.agents.findPublishableKey(visitor.publishableKey);
  if (!found) return;
  const user = { agentId: found.agent.id, externalUserId: visitor.externalUserId };
  if (!(await mustPassChallenge(services, db, found.publishableKey, user))) return;
  throw new ApiError(
    'EMBED_TOKEN_EXPIRED',
    'This visitor has to answer a challenge. Request a new token, whose response says how.',
  );
}

/** Whether half of a daily quota is used, and the visitor is neither known nor has passed the challenge. */
async function mustPassChallenge(
  { clock, config }: Pick<ServiceOptions, 'clock' | 'config'>,
  db: Kysely<Schema>,
  key: AgentKey,
  visitor: Visitor,
): Promise<boolean> {
  if (config.visitor_challenge === null) return false;
  const now = clock.now();
  const used = (await readDay(db, key.key, utcDay(now), [])).key;
  const isHalfUsed =
    used.sessions >= key.sessions_per_day / 2 ||
    used.spentMicrocents >= toMicrocents(key.spend_cents_per_day) / 2 ||
    used.fileBytes >= key.file_bytes_per_day / 2;
  if (!isHalfUsed || visitor === null) return isHalfUsed;
  const { agentId, externalUserId } = visitor;
  if (await isKnownVisitor(db, agentId, externalUserId, now)) return false;
  const row = await db
    .selectFrom('visitors')
    .select('challenge_passed_at')
    .where('agent_id', '=', agentId)
    .where('external_user_id', '=', externalUserId)
    .executeTakeFirst();
  return row?.challenge_passed_at == null;
}

async function isCorrect(
  { config, log, secret }: ChallengeServices,
  answer: ChallengeAnswer,
): Promise<boolean> {
  const { verify, verify_url: url, secret_env: name } = config.visitor_challenge ?? {};
  try {
    if (verify) return (await verify(answer)) === true;
    const response = await fetch(url ?? '', {
      method: 'POST',
      body: new URLSearchParams({
        secret: secret(name ?? '') ?? '',
        response: answer.answer,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(verifyTimeout),
    });
    if (!response.ok) throw new Error(`The verifier responded with ${response.status}.`);
    return ((await response.json()) as { success?: unknown } | null)?.success === true;
  } catch (error) {
    log.error('the answer to a challenge could not be verified', describeError(error));
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'The answer to the challenge cannot be verified at the moment. Try again soon.',
      { retryAfter: 10 },
    );
  }
}
