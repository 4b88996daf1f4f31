import type { Services } from '../services.ts';
import { clearBlocks, listBlocked } from '../tokens/end-user-blocks.ts';
import { revokeUserTokens } from '../tokens/end-users.ts';
import { type Agent, isKeyUsable, policyOf } from './agent.ts';
import { revokeTokensOf } from './publishable-keys.ts';

/**
 * Revokes the tokens that a change of an agent's settings makes invalid: the tokens of blocked users
 * and of publishable keys that became unusable.
 *
 * @param replacesBlocklist Whether the change sets `embed.blocked_end_users`.
 */
export async function enforceAgentChange(
  services: Services,
  before: Agent,
  after: Agent,
  replacesBlocklist: boolean,
): Promise<void> {
  if (replacesBlocklist) await replaceBlocklist(services, before, after);
  await revokeTokensOfUnusableKeys(services, before, after);
}

/**
 * Deletes the blocks and unblocks of individual users, which the new blocklist replaces, and revokes
 * the tokens of listed users who were not blocked before.
 */
async function replaceBlocklist(services: Services, before: Agent, after: Agent): Promise<void> {
  const { store } = services;
  const blocked = (await listBlocked(store.db, [before])).get(before.id) ?? [];
  const blockedBefore = new Set(blocked.map(({ externalUserId }) => externalUserId));
  await clearBlocks(store.db, after);
  for (const user of policyOf(after).blocked_end_users) {
    if (!blockedBefore.has(user)) await revokeUserTokens(services, after, user);
  }
}

/**
 * Revokes the tokens of keys that became unusable. Otherwise adding or enabling a key again would
 * make its old tokens valid again.
 */
async function revokeTokensOfUnusableKeys(
  { store, clock }: Services,
  before: Agent,
  after: Agent,
): Promise<void> {
  const now = clock.now();
  const usable = (agent: Agent) =>
    agent.keys.filter((key) => isKeyUsable(key, now)).map(({ key }) => key);
  const remaining = new Set(usable(after));
  await revokeTokensOf(
    store.db,
    usable(before).filter((key) => !remaining.has(key)),
    now,
  );
}
