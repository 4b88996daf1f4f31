import { idPrefix } from '@inlay/protocol';
import type { Kysely } from 'kysely';
import type * as z from 'zod';
import type { PublishableKeySettings } from '../config/embed-policy.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import type { Agent, AgentKey } from './agent.ts';
import { bumpRevision } from './agent-record.ts';

export type KeySettings = z.output<typeof PublishableKeySettings>;

/** Makes a key. Its value is public, but nobody can guess those of others. */
export async function createKey(
  services: Services,
  agent: Agent,
  settings: KeySettings,
): Promise<AgentKey> {
  const key = newId(services.random, idPrefix.publishableKey);
  return change(services, agent, key, async (db, now) => {
    await insert(db, { key, agentId: agent.id, settings, now });
  });
}

/** Changes what a key of run time allows. */
export async function updateKey(
  services: Services,
  agent: Agent,
  key: AgentKey,
  settings: KeySettings,
): Promise<AgentKey> {
  requireRunTime(key, 'Change it there, or with `publishable_keys` of the agent.');
  return change(services, agent, key.key, async (db) => {
    await db
      .updateTable('publishable_keys')
      .set({ settings: JSON.stringify(settings) })
      .where('key', '=', key.key)
      .execute();
  });
}

/**
 * Makes a key with the same settings in place of another, which ends after `overlapSeconds`: pages
 * that still have the old one go on until then. Without an overlap its tokens end at once.
 */
export async function rotateKey(
  services: Services,
  agent: Agent,
  old: AgentKey,
  overlapSeconds: number,
): Promise<AgentKey> {
  const key = newId(services.random, idPrefix.publishableKey);
  const { key: _, isDeclared, createdAt, isDisabled, endsAt, ...settings } = old;
  return change(services, agent, key, async (db, now) => {
    await insert(db, { key, agentId: agent.id, settings, now });
    const ends = now + overlapSeconds * 1000;
    // An end that was set before is never put off.
    await decide(db, agent, old.key, { ends_at: Math.min(ends, endsAt ?? ends) }, now);
    if (overlapSeconds === 0) await revokeTokensOf(db, [old.key], now);
  });
}

/** A key that is disabled gives no tokens, and those that it gave end. */
export async function setKeyDisabled(
  services: Services,
  agent: Agent,
  key: AgentKey,
  isDisabled: boolean,
): Promise<AgentKey> {
  return change(services, agent, key.key, async (db, now) => {
    await decide(db, agent, key.key, { disabled_at: isDisabled ? now : null }, now);
    if (isDisabled) await revokeTokensOf(db, [key.key], now);
  });
}

/** Takes a key of run time away, with the tokens that it gave. */
export async function deleteKey(services: Services, agent: Agent, key: AgentKey): Promise<void> {
  requireRunTime(key, 'Disable it, and take it out there.');
  const { store, clock, agents } = services;
  const now = clock.now();
  await store.priority.transaction(async (db) => {
    await bumpRevision(db, { agentId: agent.id, now });
    await db.deleteFrom('publishable_keys').where('key', '=', key.key).execute();
    await revokeTokensOf(db, [key.key], now);
  });
  await agents.changed(agent.id);
}

/** Revokes what these keys gave; the streams end with the change of the agent that follows. */
export async function revokeTokensOf(
  db: Kysely<Schema>,
  keys: readonly string[],
  now: number,
): Promise<void> {
  if (keys.length === 0) return;
  await db
    .updateTable('issuances')
    .set({ revoked_at: now })
    .where('publishable_key', 'in', keys)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
}

/** The same for a key that was never there as for one that has ended. */
export function unknownKey(): ApiError {
  return new ApiError(
    'AUTHENTICATION_ERROR',
    'This publishable key is not known, or has ended. Check `publishable_key`.',
  );
}

async function change(
  { store, clock, agents }: Services,
  agent: Agent,
  key: string,
  write: (db: Kysely<Schema>, now: number) => Promise<void>,
): Promise<AgentKey> {
  const now = clock.now();
  await store.priority.transaction(async (db) => {
    // First: its row is what two changes at once wait for each other at.
    await bumpRevision(db, { agentId: agent.id, now });
    await write(db, now);
  });
  const after = await agents.changed(agent.id);
  const found = after?.keys.find((candidate) => candidate.key === key);
  if (!found) throw notFound('This agent has no such publishable key any more.');
  return found;
}

async function insert(
  db: Kysely<Schema>,
  made: { key: string; agentId: string; settings: KeySettings; now: number },
): Promise<void> {
  await db
    .insertInto('publishable_keys')
    .values({
      key: made.key,
      agent_id: made.agentId,
      settings: JSON.stringify(made.settings),
      created_at: made.now,
    })
    .execute();
}

/** A key of the settings gets a row by the first decision about it. */
async function decide(
  db: Kysely<Schema>,
  agent: Agent,
  key: string,
  decision: { disabled_at: number | null } | { ends_at: number },
  now: number,
): Promise<void> {
  await db
    .insertInto('publishable_keys')
    .values({ key, agent_id: agent.id, settings: null, created_at: now, ...decision })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(decision))
    .execute();
}

function requireRunTime({ isDeclared }: AgentKey, remedy: string): void {
  if (!isDeclared) return;
  throw new ApiError('CONFLICT', `This key stands in the agent’s settings. ${remedy}`);
}
