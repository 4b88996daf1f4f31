import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayMs } from '../clock.ts';
import { sessionDays } from '../config/session-days.ts';
import type { Services } from '../services.ts';
import { deleteSession, sessionsPerStep } from '../sessions/delete-sessions.ts';
import { isDeleted } from '../store/is-deleted.ts';
import type { SweepStep } from './sweep-step.ts';

/**
 * Returns a step that deletes sessions that have been inactive for longer than `retention.sessions_days`:
 * first the platform's for all agents, then each agent's own.
 */
export function sessionSweep(services: Services): SweepStep {
  /** The ids of the agents to sweep; null stands for all agents. */
  let pending: (string | null)[] = [];
  return async () => {
    if (pending.length === 0) pending = [null, ...agentsWithOwnPeriod(services)];
    let count = 0;
    while (count < sessionsPerStep) {
      // Removed before its sessions are, so that a failure does not stop the others at the next sweep.
      const agentId = pending.shift();
      if (agentId === undefined) break;
      const limit = sessionsPerStep - count;
      const rows = await deleteOldSessions(services, agentId, limit);
      if (rows === limit) pending.unshift(agentId);
      count += rows;
      await nextTurn();
    }
    return count;
  };
}

function agentsWithOwnPeriod({ agents }: Services): string[] {
  return agents
    .list()
    .filter(({ retention }) => retention.sessions_days !== null)
    .map(({ id }) => id);
}

async function deleteOldSessions(
  services: Services,
  agentId: string | null,
  limit: number,
): Promise<number> {
  const { agents, store, clock, config } = services;
  const days = sessionDays(agentId === null ? null : agents.find(agentId), config);
  if (days === null) return 0;
  const inactiveSince = clock.now() - days * dayMs;
  const rows = await store.db
    .selectFrom('sessions')
    .select(['id', 'agent_id', 'external_user_id'])
    .where('active_at', '<', inactiveSince)
    .$if(agentId !== null, (query) => query.where('agent_id', '=', agentId ?? ''))
    // Their rows are being removed in the background.
    .where(({ not }) => not(isDeleted))
    .orderBy('active_at')
    .limit(limit)
    .execute();
  for (const row of rows) await deleteSession(services, row, { inactiveSince });
  return rows.length;
}
