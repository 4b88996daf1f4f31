import { idPrefix } from '@inlay/protocol';
import type { Kysely } from 'kysely';
import type * as z from 'zod';
import { describeChange, differenceOf } from '../audit/audit.ts';
import type { PublishableKeySettings } from '../config/embed-policy.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import type { Agent, AgentKey } from './agent.ts';
import { incrementRevision } from './agent-record.ts';

export type KeySettings = z.output<typeof PublishableKeySettings>;

/** Creates a key. Its value is public, but random, so that other keys cannot be guessed. */
export async function createKey(
  services: Services,
  agent: Agent,
  settings: KeySettings,
): Promise<AgentKey> {
  const key = newId(services.random, idPrefix.publishableKey);
  describeChange({ subject: `agents/${agent.id}/publishable_keys/${key}`, after: settings });
  return changeKey(services, agent, key, async (db, now) => {
    await insertKey(db, { key, agentId: agent.id, settings, now });
  });
}

/**
 * Changes the settings of a key that was created at run time.
 *
 * @throws ApiError `CONFLICT` for a key of the agent's settings.
 */
export async function updateKey(
  services: Services,
  agent: Agent,
  key: AgentKey,
  settings: KeySettings,
): Promise<AgentKey> {
  requireCreatedAtRunTime(key, 'Change it there, or with `publishable_keys` of the agent.');
  const { key: _, isDeclared, createdAt, isDisabled, endsAt, ...before } = key;
  describeChange(differenceOf(before, settings));
  return changeKey(services, agent, key.key, async (db) => {
    await db
      .updateTable('publishable_keys')
      .set({ settings: JSON.stringify(settings) })
      .where('key', '=', key.key)
      .execute();
  });
}

/**
 * Replaces a key by a new one with the same settings.
 *
 * @param overlapSeconds Seconds for which the old key keeps working; with 0, its tokens are revoked
 *   immediately.
 * @returns The new key.
 */
export async function rotateKey(
  services: Services,
  agent: Agent,
  old: AgentKey,
  overlapSeconds: number,
): Promise<AgentKey> {
  const key = newId(services.random, idPrefix.publishableKey);
  const { key: _, isDeclared, createdAt, isDisabled, endsAt, ...settings } = old;
  describeChange({ after: { key, overlap_seconds: overlapSeconds } });
  return changeKey(services, agent, key, async (db, now) => {
    await insertKey(db, { key, agentId: agent.id, settings, now });
    const ends = now + overlapSeconds * 1000;
    // A rotation never postpones the end of the old key.
    await saveKeyState(db, agent, old.key, { ends_at: Math.min(ends, endsAt ?? ends) }, now);
    if (overlapSeconds === 0) await revokeTokensOf(db, [old.key], now);
  });
}

/** Disables or enables a key. Disabling revokes its tokens. */
export async function setKeyDisabled(
  services: Services,
  agent: Agent,
  key: AgentKey,
  isDisabled: boolean,
): Promise<AgentKey> {
  return changeKey(services, agent, key.key, async (db, now) => {
    await saveKeyState(db, agent, key.key, { disabled_at: isDisabled ? now : null }, now);
    if (isDisabled) await revokeTokensOf(db, [key.key], now);
  });
}

/**
 * Deletes a key that was created at run time, and revokes its tokens.
 *
 * @throws ApiError `CONFLICT` for a key of the agent's settings.
 */
export async function deleteKey(services: Services, agent: Agent, key: AgentKey): Promise<void> {
  requireCreatedAtRunTime(key, 'Disable it, and remove it there.');
  const { store, clock, agents } = services;
  const now = clock.now();
  await store.priority.transaction(async (db) => {
    await incrementRevision(db, { agentId: agent.id, now });
    await db.deleteFrom('publishable_keys').where('key', '=', key.key).execute();
    await revokeTokensOf(db, [key.key], now);
  });
  await agents.publishChange(agent.id);
}

/**
 * Revokes the tokens of keys. The streams of the tokens end when the change of the agent is
 * published.
 */
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
    .execute();
}

/**
 * Creates the error for an unknown, disabled or ended publishable key. The error does not reveal
 * which of these applies.
 */
export function unknownKey(): ApiError {
  return new ApiError(
    'AUTHENTICATION_ERROR',
    'This publishable key is not known, or has ended. Check `publishable_key`.',
  );
}

async function changeKey(
  { store, clock, agents }: Services,
  agent: Agent,
  key: string,
  write: (db: Kysely<Schema>, now: number) => Promise<void>,
): Promise<AgentKey> {
  const now = clock.now();
  await store.priority.transaction(async (db) => {
    // Runs first, because it locks the row of the agent, which serializes concurrent changes.
    await incrementRevision(db, { agentId: agent.id, now });
    await write(db, now);
  });
  const after = await agents.publishChange(agent.id);
  const found = after?.keys.find((candidate) => candidate.key === key);
  if (!found) throw notFound('This agent has no such publishable key any more.');
  return found;
}

async function insertKey(
  db: Kysely<Schema>,
  created: { key: string; agentId: string; settings: KeySettings; now: number },
): Promise<void> {
  await db
    .insertInto('publishable_keys')
    .values({
      key: created.key,
      agent_id: created.agentId,
      settings: JSON.stringify(created.settings),
      created_at: created.now,
    })
    .execute();
}

/** Stores the state of a key. A key of the settings has no row until its state first changes. */
async function saveKeyState(
  db: Kysely<Schema>,
  agent: Agent,
  key: string,
  state: { disabled_at: number | null } | { ends_at: number },
  now: number,
): Promise<void> {
  await db
    .insertInto('publishable_keys')
    .values({ key, agent_id: agent.id, settings: null, created_at: now, ...state })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(state))
    .execute();
}

function requireCreatedAtRunTime({ isDeclared }: AgentKey, remedy: string): void {
  if (!isDeclared) return;
  throw new ApiError('CONFLICT', `This key is part of the agent’s settings. ${remedy}`);
}
