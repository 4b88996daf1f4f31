import type { EndUser } from '@inlay/protocol';
import type { Agent } from '../agents/agent.ts';
import type { Services } from '../deps.ts';
import { endUserLock } from '../store/store.ts';
import { isBlockedNow, setBlocked } from './end-user-blocks.ts';
import { markUserRevoked } from './issuances.ts';

/** Ends everything that an end user holds. New tokens may be issued afterwards. */
export async function revokeUserTokens(
  services: Services,
  agent: Agent,
  externalUserId: string,
): Promise<EndUser> {
  const { priority: store } = services.store;
  const user = { agentId: agent.id, externalUserId, now: services.clock.now() };
  const issuanceIds = await store.transaction((db) => markUserRevoked(db, user));
  await tell(services, agent, externalUserId, issuanceIds);
  const blocked = await isBlockedNow(store.db, agent, externalUserId);
  return toEndUser(agent, externalUserId, { blocked, revoked: issuanceIds.length });
}

export async function blockUser(
  services: Services,
  agent: Agent,
  externalUserId: string,
): Promise<EndUser> {
  const user = { agentId: agent.id, externalUserId, now: services.clock.now() };
  // One transaction: a token issued in between would be neither refused nor revoked.
  const { priority: store } = services.store;
  const issuanceIds = await store.transaction(async (db) => {
    await store.lock(db, endUserLock(user));
    await setBlocked(db, { ...user, blocked: true });
    return markUserRevoked(db, user);
  });
  await tell(services, agent, externalUserId, issuanceIds);
  return toEndUser(agent, externalUserId, { blocked: true, revoked: issuanceIds.length });
}

export async function unblockUser(
  { store, clock }: Services,
  agent: Agent,
  externalUserId: string,
): Promise<EndUser> {
  const user = { agentId: agent.id, externalUserId, now: clock.now() };
  await setBlocked(store.priority.db, { ...user, blocked: false });
  return toEndUser(agent, externalUserId, { blocked: false, revoked: 0 });
}

/** Also without a token left to end: the user's runs stop all the same. */
async function tell(
  { bus }: Services,
  agent: Agent,
  externalUserId: string,
  issuanceIds: readonly string[],
): Promise<void> {
  await bus.publish({
    kind: 'user_ended',
    agentId: agent.id,
    externalUserId,
    // A block revokes tokens (service reference, section 3.1), and a revoked token's stream ends so.
    code: 'EMBED_TOKEN_REVOKED',
    issuanceIds,
  });
}

function toEndUser(
  agent: Agent,
  externalUserId: string,
  { blocked, revoked }: { blocked: boolean; revoked: number },
): EndUser {
  return {
    type: 'end_user',
    agent_id: agent.id,
    external_user_id: externalUserId,
    blocked,
    revoked_tokens: revoked,
  };
}
