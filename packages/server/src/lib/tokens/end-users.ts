/**
 * Ends the access of an end user. How a revocation gets from the backend to the screen:
 *
 * 1. One transaction marks the user's tokens as revoked. From then on the server rejects every
 *    request with one of these tokens.
 * 2. `user_ended` is published on the bus. `stream/revocation-watch.ts` of each process receives
 *    it, or finds the revoked tokens in the store within two seconds. `runs/run-engine.ts`
 *    interrupts the user's runs.
 * 3. Each open stream ends with a `session.error` event, which has no `seq`. A long poll gets a
 *    401.
 * 4. In the page, the client's stream reports the rejected token to the token manager, which
 *    requests a new token once. With a new token, the stream continues. If no token is issued, or
 *    the new token is revoked within a minute, the conversation ends: the element shows the reason,
 *    and the composer becomes read-only.
 */

import type { EndUser } from '@inlay/protocol';
import type { Agent } from '../agents/agent.ts';
import type { Services } from '../services.ts';
import { endUserLock } from '../store/store.ts';
import type { WebhookDraft } from '../webhooks/webhook-outbox.ts';
import { loadIsBlocked, setBlocked } from './end-user-blocks.ts';
import { markUserRevoked } from './issuances.ts';

/**
 * Revokes all tokens of an end user. New tokens can be issued afterwards.
 *
 * @param revokedBefore Issuances that were revoked before, whose streams must end as well.
 * @returns The end user, with the number of tokens that were revoked.
 */
export async function revokeUserTokens(
  services: Services,
  agent: Agent,
  externalUserId: string,
  revokedBefore: readonly string[] = [],
): Promise<EndUser> {
  const { priority: store } = services.store;
  const user = { agentId: agent.id, externalUserId, now: services.clock.now() };
  const { issuanceIds, endpointIds } = await store.transaction(async (db) => {
    const issuanceIds = await markUserRevoked(db, user);
    const drafts = () => revokedTokens(user, issuanceIds);
    return { issuanceIds, endpointIds: await services.webhooks.record(db, drafts) };
  });
  services.webhooks.deliver(endpointIds);
  const endedIds = [...revokedBefore, ...issuanceIds];
  await publishAccessRevoked(services, agent, externalUserId, endedIds);
  const blocked = await loadIsBlocked(services.pseudonyms, store.db, agent, externalUserId);
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
  // One transaction, because a token that is issued between the two steps would stay valid.
  const { priority: store } = services.store;
  const { issuanceIds, endpointIds } = await store.transaction(async (db) => {
    await store.lock(db, endUserLock(user));
    await setBlocked(services.pseudonyms, db, {
      agent,
      externalUserId,
      blocked: true,
      now: user.now,
    });
    const issuanceIds = await markUserRevoked(db, user);
    const drafts = () => [
      { type: 'end_user.blocked' as const, ...user },
      ...revokedTokens(user, issuanceIds),
    ];
    return { issuanceIds, endpointIds: await services.webhooks.record(db, drafts) };
  });
  services.webhooks.deliver(endpointIds);
  await publishAccessRevoked(services, agent, externalUserId, issuanceIds);
  return toEndUser(agent, externalUserId, { blocked: true, revoked: issuanceIds.length });
}

/** Allows new tokens for a blocked end user. Revoked tokens stay revoked. */
export async function unblockUser(
  { store, clock, pseudonyms, webhooks }: Services,
  agent: Agent,
  externalUserId: string,
): Promise<EndUser> {
  const now = clock.now();
  const endpointIds = await store.priority.transaction(async (db) => {
    await setBlocked(pseudonyms, db, { agent, externalUserId, blocked: false, now });
    const user = { agentId: agent.id, externalUserId };
    return webhooks.record(db, () => [{ type: 'end_user.unblocked', ...user }]);
  });
  webhooks.deliver(endpointIds);
  return toEndUser(agent, externalUserId, { blocked: false, revoked: 0 });
}

/** Notifies all processes, even if no token was revoked: the runs of the user must also stop. */
export async function publishAccessRevoked(
  { bus, clock }: Pick<Services, 'bus' | 'clock'>,
  agent: Pick<Agent, 'id'>,
  externalUserId: string,
  issuanceIds: readonly string[],
): Promise<void> {
  await bus.publish({
    kind: 'user_ended',
    agentId: agent.id,
    externalUserId,
    // A block revokes tokens (docs/conformance.md, 3.1), so their streams end with this code.
    code: 'EMBED_TOKEN_REVOKED',
    issuanceIds,
    at: clock.now(),
  });
}

/** Returns the events for webhook endpoints about revoked tokens. */
export function revokedTokens(
  { agentId, externalUserId }: { agentId: string; externalUserId: string },
  issuanceIds: readonly string[],
): WebhookDraft[] {
  return issuanceIds.map((id) => ({
    type: 'token.revoked',
    agentId,
    externalUserId,
    data: { token_id: id },
  }));
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
