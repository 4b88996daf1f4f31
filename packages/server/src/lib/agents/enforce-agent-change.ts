import type { Transaction } from 'kysely';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { clearBlocks, listBlocked } from '../tokens/end-user-blocks.ts';
import { revokedTokens, revokeUserTokens } from '../tokens/end-users.ts';
import { markUserRevoked } from '../tokens/issuances.ts';
import { type Agent, isKeyUsable, policyOf } from './agent.ts';
import { revokeTokensOf } from './publishable-keys.ts';

/** A change of an agent's settings. */
interface AgentChange {
  readonly before: Agent;
  readonly after: Agent;
  /** Whether the change sets `embed.blocked_end_users`. */
  readonly replacesBlocklist: boolean;
  readonly now: number;
}

/** The users and publishable keys whose tokens a change of an agent has revoked. */
export interface EndedAccess {
  readonly users: readonly { externalUserId: string; issuanceIds: readonly string[] }[];
  readonly keys: readonly string[];
}

/**
 * Revokes the tokens that a change of an agent's settings makes invalid: the tokens of blocked users
 * and of publishable keys that became unusable. Call it in the transaction that stores the change,
 * and `finishAgentChange` after the change is published.
 */
export async function enforceAgentChange(
  { webhooks }: Pick<Services, 'webhooks'>,
  transaction: Transaction<Schema>,
  change: AgentChange,
): Promise<EndedAccess> {
  const users = change.replacesBlocklist
    ? await replaceBlocklist(webhooks, transaction, change)
    : [];
  const keys = unusableKeys(change);
  await revokeTokensOf(transaction, keys, change.now);
  return { users, keys };
}

/**
 * Revokes the tokens that processes issued before they loaded the change, and ends the streams and
 * runs of blocked users.
 */
export async function finishAgentChange(
  services: Services,
  after: Agent,
  { users, keys }: EndedAccess,
): Promise<void> {
  for (const { externalUserId, issuanceIds } of users) {
    await revokeUserTokens(services, after, externalUserId, issuanceIds);
  }
  await revokeTokensOf(services.store.db, keys, services.clock.now());
}

/**
 * Deletes the blocks and unblocks of individual users, which the new blocklist replaces, and revokes
 * the tokens of listed users who were not blocked before.
 */
async function replaceBlocklist(
  webhooks: Services['webhooks'],
  transaction: Transaction<Schema>,
  { before, after, now }: AgentChange,
): Promise<EndedAccess['users']> {
  const blocked = await listBlocked(transaction, before);
  const blockedBefore = new Set(blocked.map(({ externalUserId }) => externalUserId));
  await clearBlocks(transaction, after);
  const users: { externalUserId: string; issuanceIds: string[] }[] = [];
  for (const externalUserId of policyOf(after).blocked_end_users) {
    if (blockedBefore.has(externalUserId)) continue;
    const user = { agentId: after.id, externalUserId, now };
    users.push({ externalUserId, issuanceIds: await markUserRevoked(transaction, user) });
  }
  const blockedAfter = new Set(policyOf(after).blocked_end_users);
  await webhooks.record(transaction, () => [
    ...users.flatMap(({ externalUserId, issuanceIds }) => {
      const user = { agentId: after.id, externalUserId };
      return [{ type: 'end_user.blocked' as const, ...user }, ...revokedTokens(user, issuanceIds)];
    }),
    ...[...blockedBefore]
      .filter((externalUserId) => !blockedAfter.has(externalUserId))
      .map((externalUserId) => ({
        type: 'end_user.unblocked' as const,
        agentId: after.id,
        externalUserId,
      })),
  ]);
  return users;
}

/**
 * The keys that became unusable. If their tokens were not revoked, adding or enabling a key again
 * would make its old tokens valid again.
 */
function unusableKeys({ before, after, now }: AgentChange): string[] {
  const usable = (agent: Agent) =>
    agent.keys.filter((key) => isKeyUsable(key, now)).map(({ key }) => key);
  const remaining = new Set(usable(after));
  return usable(before).filter((key) => !remaining.has(key));
}
