import type { Services } from '../services.ts';
import { blockUser, unblockUser } from '../tokens/end-users.ts';
import { type Agent, isKeyUsable, policyOf } from './agent.ts';
import { revokeTokensOf } from './publishable-keys.ts';

/** Ends what a change of an agent's settings leaves no right to be. */
export async function followAgent(services: Services, before: Agent, after: Agent): Promise<void> {
  await followBlocklist(services, before, after);
  await followKeys(services, before, after);
}

/** Without this, an earlier unblock would stand over the list, and open streams would go on. */
async function followBlocklist(services: Services, before: Agent, after: Agent): Promise<void> {
  const was = new Set(policyOf(before).blocked_end_users);
  const is = new Set(policyOf(after).blocked_end_users);
  for (const user of is) if (!was.has(user)) await blockUser(services, after, user);
  for (const user of was) if (!is.has(user)) await unblockUser(services, after, user);
}

/** Without this, a key that is put back would bring its old tokens back to life. */
async function followKeys({ store, clock }: Services, before: Agent, after: Agent): Promise<void> {
  const now = clock.now();
  const usable = (agent: Agent) =>
    agent.keys.filter((key) => isKeyUsable(key, now)).map(({ key }) => key);
  const left = new Set(usable(after));
  await revokeTokensOf(
    store.db,
    usable(before).filter((key) => !left.has(key)),
    now,
  );
}
