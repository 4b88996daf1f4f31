/**
 * Ends the access of an end user. A revocation travels from the backend to the screen like this:
 *
 * 1. The rows of the user's tokens are marked first, in one transaction. From then on every request
 *    with such a token is refused.
 * 2. `user_ended` is published on the bus. `stream/revocation-watch.ts` of each process receives it,
 *    or finds the rows within two seconds. `runs/run-engine.ts` interrupts the user's runs.
 * 3. Each open stream gets a `session.error` without `seq`, and ends. A request that waits for events
 *    gets the 401.
 * 4. In the page, the client's stream reports the 401 to the token manager, which requests a new
 *    token once. With a new token, the stream continues. If no token is issued, or the new one is
 *    revoked within a minute, the conversation ends: the element shows the reason, and the composer
 *    becomes read-only.
 */

import type { EndUser } from '@inlay/protocol';
import type { Agent } from '../agents/agent.ts';
import type { Services } from '../services.ts';
import { endUserLock } from '../store/store.ts';
import { loadIsBlocked, setBlocked } from './end-user-blocks.ts';
import { markUserRevoked } from './issuances.ts';

/**
 * Revokes all tokens of an end user. New tokens can be issued afterwards.
 *
 * @returns The end user, with the number of tokens that were revoked.
 */
export async function revokeUserTokens(
  services: Services,
  agent: Agent,
  externalUserId: string,
): Promise<EndUser> {
  const { priority: store } = services.store;
  const user = { agentId: agent.id, externalUserId, now: services.clock.now() };
  const issuanceIds = await store.transaction((db) => markUserRevoked(db, user));
  await publishAccessRevoked(services, agent, externalUserId, issuanceIds);
  const blocked = await loadIsBlocked(store.db, agent, externalUserId);
  return toEndUser(agent, externalUserId, { blocked, revoked: issuanceIds.length });
}

/**
 * Blocks an end user, and revokes all their tokens. No token is issued until `unblockUser`.
 *
 * @returns The end user, with the number of tokens that were revoked.
 */
export async function blockUser(
  services: Services,
  agent: Agent,
  externalUserId: string,
): Promise<EndUser> {
  const user = { agentId: agent.id, externalUserId, now: services.clock.now() };
  // One transaction, because a token issued in between would be neither refused nor revoked.
  const { priority: store } = services.store;
  const issuanceIds = await store.transaction(async (db) => {
    await store.lock(db, endUserLock(user));
    await setBlocked(db, { agent, externalUserId, blocked: true, now: user.now });
    return markUserRevoked(db, user);
  });
  await publishAccessRevoked(services, agent, externalUserId, issuanceIds);
  return toEndUser(agent, externalUserId, { blocked: true, revoked: issuanceIds.length });
}

/** Allows new tokens for a blocked end user. Revoked tokens stay revoked. */
export async function unblockUser(
  { store, clock }: Services,
  agent: Agent,
  externalUserId: string,
): Promise<EndUser> {
  const now = clock.now();
  await setBlocked(store.priority.db, { agent, externalUserId, blocked: false, now });
  return toEndUser(agent, externalUserId, { blocked: false, revoked: 0 });
}

/** Notifies all processes, even if no token was revoked, because the user's runs must stop anyway. */
async function publishAccessRevoked(
  { bus }: Services,
  agent: Agent,
  externalUserId: string,
  issuanceIds: readonly string[],
): Promise<void> {
  await bus.publish({
    kind: 'user_ended',
    agentId: agent.id,
    externalUserId,
    // A block revokes tokens (service reference, section 3.1), so their streams end with this code.
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
