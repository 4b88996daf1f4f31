import { type EmbedPolicyCheck, limits } from '@inlay/protocol';
import { type Kysely, sql } from 'kysely';
import { isoTime } from '../clock.ts';
import { coversPattern, matchesAny } from '../config/origin-pattern.ts';
import { userScope } from '../idempotency/idempotent.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { listBlocked } from '../tokens/end-user-blocks.ts';
import { type Agent, policyOf } from './agent.ts';
import { checkAgent } from './check-agent.ts';
import type { Overrides } from './merge-overrides.ts';
import { draftUpdate } from './update-agent.ts';

/** Maximum users of a query: a statement has a maximum number of parameters. */
const usersPerQuery = 500;

/**
 * Checks a change of an agent's embed policy without storing it.
 *
 * @param embed Changes of the policy; null removes it.
 * @returns The effects on the tokens of this moment, and the origins that were refused lately.
 * @throws The same errors as storing the change.
 */
export async function checkEmbed(
  services: Services,
  id: string,
  embed: Overrides | null,
): Promise<EmbedPolicyCheck> {
  const changes = { embed };
  const check = (draft: Agent) => checkAgent(services, changes, draft);
  const { before, after } = await draftUpdate(services, { id, changes, keepVersion: false, check });
  const { store, clock, refusedOrigins } = services;
  const users =
    embed?.blocked_end_users === undefined ? [] : await newlyBlocked(store.db, before, after);
  const refused = await refusedOrigins.list(id);
  return {
    type: 'embed_policy_check',
    agent_id: id,
    ends: { users: users.length, ...(await accessOf(services, id, users)) },
    refuses: await tokensBeyond(store.db, after, clock.now()),
    refused_origins: refused
      .filter(({ origin }) => origin !== '')
      .map(({ origin, requests, lastAt }) => ({
        origin,
        requests,
        last_refused_at: isoTime(lastAt),
        allowed: matchesAny(policyOf(after).allowed_origins, origin),
      })),
    other_refused_requests: refused.find(({ origin }) => origin === '')?.requests ?? 0,
  };
}

/** Returns the users whom the changed policy blocks, and who are not blocked now. */
async function newlyBlocked(db: Kysely<Schema>, before: Agent, after: Agent): Promise<string[]> {
  const blocked = new Set((await listBlocked(db, before)).map((user) => user.externalUserId));
  return [...new Set(policyOf(after).blocked_end_users)].filter((user) => !blocked.has(user));
}

/** Counts the live tokens and running answers of users. */
async function accessOf(
  { store: { db }, clock }: Services,
  agentId: string,
  users: readonly string[],
): Promise<{ tokens: number; running_sessions: number }> {
  let [tokens, sessions] = [0, 0];
  for (let index = 0; index < users.length; index += usersPerQuery) {
    const some = users.slice(index, index + usersPerQuery);
    const count = sql<number>`count(*)`.as('count');
    const live = await db
      .selectFrom('issuances')
      .select(count)
      .where('agent_id', '=', agentId)
      .where('external_user_id', 'in', some)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', clock.now())
      .executeTakeFirstOrThrow();
    const scopes = some.map((externalUserId) => userScope({ agentId, externalUserId }));
    const running = await db
      .selectFrom('runs')
      .select(count)
      .where('user_scope', 'in', scopes)
      .executeTakeFirstOrThrow();
    tokens += Number(live.count);
    sessions += Number(running.count);
  }
  return { tokens, running_sessions: sessions };
}

/** Counts the live tokens of an agent that its policy would not allow, by the setting that refuses them. */
async function tokensBeyond(
  db: Kysely<Schema>,
  agent: Agent,
  now: number,
): Promise<EmbedPolicyCheck['refuses']> {
  const policy = policyOf(agent);
  const flag = (condition: ReturnType<typeof sql>) =>
    sql<number>`case when ${condition} then 1 else 0 end`;
  const groups = await db
    .selectFrom('issuances')
    .select([
      'allowed_origins',
      flag(sql`expires_at - created_at > ${policy.max_ttl_seconds * 1000}`).as('ttl'),
      flag(sql`budget_cents > ${policy.max_budget_cents ?? Number.MAX_SAFE_INTEGER}`).as('budget'),
      flag(sql`override_system is not null`).as('override'),
      sql<number>`count(*)`.as('count'),
    ])
    .where('agent_id', '=', agent.id)
    // An older token has expired.
    .where('created_at', '>', now - limits.ttlSeconds.max * 1000)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .groupBy(['allowed_origins', 'ttl', 'budget', 'override'])
    .execute();
  const isAllowed = (origin: string) =>
    policy.allowed_origins.some((pattern) => coversPattern(pattern, origin));
  const settings = new Map<string, number>();
  let tokens = 0;
  for (const { allowed_origins: origins, ttl, budget, override, count } of groups) {
    const refusing = [
      ...((JSON.parse(origins) as string[]).every(isAllowed) ? [] : ['allowed_origins']),
      ...(ttl === 1 ? ['max_ttl_seconds'] : []),
      ...(budget === 1 ? ['max_budget_cents'] : []),
      ...(override === 1 && !policy.allow_agent_override ? ['allow_agent_override'] : []),
    ];
    if (refusing.length > 0) tokens += Number(count);
    for (const name of refusing) settings.set(name, (settings.get(name) ?? 0) + Number(count));
  }
  return {
    tokens,
    settings: [...settings].map(([name, number]) => ({
      pointer: `/embed/${name}`,
      tokens: number,
    })),
  };
}
