import type { Services } from '../services.ts';
import { blockUser, unblockUser } from '../tokens/end-users.ts';
import { type Agent, isKeyUsable, policyOf } from './agent.ts';
import { revokeTokensOf } from './publishable-keys.ts';

/**
 * Revokes what a change of an agent's settings no longer allows: tokens of blocked users and of
 * removed keys.
 */
export async function enforceAgentChange(
  services: Services,
  before: Agent,
  after: Agent,
): Promise<void> {
  await enforceBlocklist(services, before, after);
  await revokeRemovedKeys(services, before, after);
}

/**
 * Blocks users who were added to the blocklist and unblocks removed ones. Otherwise an earlier
 * unblock would override the list, and open streams would continue.
 */
async function enforceBlocklist(services: Services, before: Agent, after: Agent): Promise<void> {
  const blockedBefore = new Set(policyOf(before).blocked_end_users);
  const blockedAfter = new Set(policyOf(after).blocked_end_users);
  for (const user of blockedAfter)
    if (!blockedBefore.has(user)) await blockUser(services, after, user);
  for (const user of blockedBefore)
    if (!blockedAfter.has(user)) await unblockUser(services, after, user);
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
