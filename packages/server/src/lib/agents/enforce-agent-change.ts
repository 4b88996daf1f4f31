import type { Services } from '../services.ts';
import { clearBlocks, listBlocked } from '../tokens/end-user-blocks.ts';
import { revokeUserTokens } from '../tokens/end-users.ts';
import { type Agent, isKeyUsable, policyOf } from './agent.ts';
import { revokeTokensOf } from './publishable-keys.ts';

/**
 * Revokes what a change of an agent's settings no longer allows: tokens of blocked users and of
 * removed keys.
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
  await revokeRemovedKeys(services, before, after);
}

/**
 * Lets the new list replace earlier blocks and unblocks, and revokes the tokens of users who were
 * not blocked before.
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
 * Revokes the tokens of removed keys. Otherwise a key that is added again would make its earlier
 * tokens valid.
 */
async function revokeRemovedKeys(
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
