import { type Insertable, type Kysely, sql } from 'kysely';
import { dayMs, isoTime, utcDay } from '../clock.ts';
import type { Schema } from '../store/schema.ts';
import { type Amounts, addAmounts } from '../usage/amounts.ts';
import { addUsage } from '../usage/count-usage.ts';

/** Rows per statement; SQLite allows 32,766 parameters. */
const batchSize = 500;
/** Period over which the conversations are spread, in milliseconds. */
const period = 90 * dayMs;
/** Conversations of each user. */
const perUser = 3;
const answer = 'The order has left the warehouse. It arrives on Friday.';

export interface Seed {
  /** Number of conversations. */
  readonly count: number;
  /** Ids of agents, which alternate by user. */
  readonly agentIds: readonly string[];
  /** Time of the newest conversation, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Adds conversations with a question and an answer, and their users, tokens, ratings and usage, as if they
 * had been held in the last 90 days.
 */
export async function seedConversations(db: Kysely<Schema>, seed: Seed): Promise<void> {
  const usage = new Map<string, Amounts>();
  const users = new Map<string, Insertable<Schema['usage_users']>>();
  for (let start = 0; start < seed.count; start += batchSize) {
    const sessions = Array.from({ length: Math.min(batchSize, seed.count - start) }, (_, index) =>
      sessionOf(seed, start + index),
    );
    await insertAll(db, sessions);
    for (const session of sessions) count(usage, users, session);
  }
  for (const [key, amounts] of usage) {
    const [owner, day] = JSON.parse(key);
    await addUsage(db, owner, day, amounts);
  }
  const active = [...users.values()];
  for (let start = 0; start < active.length; start += batchSize) {
    const rows = active.slice(start, start + batchSize);
    await db.insertInto('usage_users').values(rows).execute();
  }
  await sql`insert into end_users
    select agent_id, external_user_id, max(case when publishable_key is null then 0 else 1 end),
      min(created_at), max(active_at)
    from sessions where id like 'ses_seed%' group by agent_id, external_user_id`.execute(db);
}

type Session = ReturnType<typeof sessionOf>;

/** The row of a conversation; 0 is the newest one. */
function sessionOf({ count: total, agentIds, now }: Seed, index: number) {
  const every = (interval: number) => index % interval === interval - 1;
  const number = String(index).padStart(6, '0');
  const user = Math.floor(index / perUser);
  const time = now - Math.floor((index * period) / total);
  return {
    id: `ses_seed${number}`,
    agent_id: agentIds[user % agentIds.length] ?? '',
    agent_version: time < now - period / 2 ? '1' : '2',
    external_user_id: `user-${user}`,
    issuance_id: `emb_seed${number}`,
    publishable_key: user % 5 === 4 ? 'pk_demo' : null,
    system_message: null,
    override_system: null,
    budget_cents: null,
    token_metadata: '{}',
    status: every(500) ? ('rescheduling' as const) : every(40) ? 'terminated' : 'idle',
    title: null,
    metadata: every(50) ? '{"team":"red"}' : '{}',
    input_tokens: 900,
    output_tokens: 150,
    spent_microcents: 400_000,
    created_at: time,
    updated_at: time,
    active_at: time,
    archived_at: every(50) ? time : null,
    preview: `Where is order ${number}?`,
    last_message: answer,
    requires_action: 0,
    terminated_reason: null,
    source: null,
    begun_at: time,
    log_bytes: 500,
    outcome: every(50) ? ('failed' as const) : every(200) ? 'budget' : 'answered',
    rated_up: every(10) ? 1 : 0,
    rated_down: every(25) && !every(10) ? 1 : 0,
    last_seq: 3,
    head_id: eventId(number, 2),
  } satisfies Insertable<Schema['sessions']>;
}

function eventId(conversation: string, seq: number): string {
  return `evt_seed${conversation}_${seq}`;
}

async function insertAll(db: Kysely<Schema>, sessions: readonly Session[]): Promise<void> {
  await db.insertInto('sessions').values(sessions).execute();
  await db.insertInto('events').values(sessions.flatMap(eventsOf)).execute();
  await db.insertInto('issuances').values(sessions.map(tokenOf)).execute();
  const rated = sessions.filter((session) => session.rated_up || session.rated_down);
  if (rated.length > 0) await db.insertInto('feedback').values(rated.map(ratingOf)).execute();
}

function eventsOf({ id, head_id: head, preview, active_at: at }: Session) {
  const number = id.slice('ses_seed'.length);
  return [
    { type: 'user.message', content: [{ type: 'text', text: preview }] },
    { type: 'agent.message', content: [{ type: 'text', text: answer }] },
    { type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
  ].map((event, index) => {
    const seq = index + 1;
    const event_id = seq === 2 ? head : eventId(number, seq);
    const json = JSON.stringify({ id: event_id, seq, processed_at: isoTime(at), ...event });
    return { session_id: id, seq, id: event_id, type: event.type, json, processed_at: at };
  });
}

function tokenOf(session: Session): Insertable<Schema['issuances']> {
  const { agent_id, agent_version, external_user_id, publishable_key, active_at: at } = session;
  return {
    ...{ agent_id, agent_version, external_user_id, publishable_key },
    ...{ system_message: null, override_system: null, budget_cents: null, session_id: null },
    id: session.issuance_id,
    allowed_origins: '[]',
    metadata: '{}',
    features: '{}',
    created_at: at,
    expires_at: at + 900_000,
    revoked_at: session.archived_at,
    expired_at: null,
    issued_by: null,
  };
}

function ratingOf(session: Session): Insertable<Schema['feedback']> {
  return {
    session_id: session.id,
    event_id: session.head_id,
    external_user_id: session.external_user_id,
    rating: session.rated_up ? 'up' : 'down',
    comment: session.rated_down ? 'That was wrong.' : null,
    reasons: '[]',
    created_at: session.active_at,
  };
}

/** Adds a conversation to the amounts, by owner, day and model, and to the users of its day. */
function count(
  usage: Map<string, Amounts>,
  users: Map<string, Insertable<Schema['usage_users']>>,
  session: Session,
): void {
  const { agent_id, agent_version, publishable_key, external_user_id, outcome } = session;
  const owner = { agent_id, agent_version, publishable_key };
  const day = utcDay(session.active_at);
  const add = (model: string, amounts: Amounts) => {
    const key = JSON.stringify([owner, { day, model }]);
    usage.set(key, addAmounts(usage.get(key) ?? {}, amounts));
  };
  add('', {
    sessions: 1,
    user_messages: 1,
    ratings_up: session.rated_up,
    ratings_down: session.rated_down,
    refused_by_quota: outcome === 'budget' ? 1 : 0,
  });
  add('scripted', {
    answers: outcome === 'answered' ? 1 : 0,
    answers_failed: outcome === 'failed' ? 1 : 0,
    input_tokens: session.input_tokens,
    output_tokens: session.output_tokens,
    spent_microcents: session.spent_microcents,
    answer_ms_3: 1,
  });
  const row = { ...owner, day, external_user_id, publishable_key: publishable_key ?? '' };
  users.set(JSON.stringify(row), row);
}
