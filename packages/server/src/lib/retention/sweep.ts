import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayMs } from '../clock.ts';
import { deleteExpiredResponses } from '../idempotency/idempotent.ts';
import { deleteOldDays } from '../limits/message-quota.ts';
import { describeError } from '../log/logger.ts';
import type { ChatModel } from '../openai-api/chat-model.ts';
import { vectorStoreSweep } from '../openai-api/vector-stores/expire-vector-stores.ts';
import { Registry } from '../registries/registry.ts';
import type { Services } from '../services.ts';
import { deleteSession, deletionSteps } from '../sessions/delete-sessions.ts';
import { deleteExpiredCodes } from '../tokens/exchange-codes.ts';
import { deleteOldCounters, deleteOldTokens, visitorSweep } from './delete-old-rows.ts';
import { type SweepStep, stepSize } from './sweep-step.ts';

/** Milliseconds between two sweeps. */
const interval = 3_600_000;
/** Milliseconds until the first sweep, which cleans up after processes that died. */
const firstDelay = 60_000;
/** Maximum sessions per step: fewer than `stepSize`, because a session has many rows. */
const sessionsPerStep = 20;

/**
 * Starts an hourly sweep that deletes expired rows, and rows that are older than `retention` allows.
 * The sweep works in steps, so that requests are handled between them. Of several processes with one
 * database, the first one sweeps.
 *
 * @returns The function that stops the sweeps.
 */
export function startSweep(services: Services, chatModel: ChatModel): () => void {
  const { files, spending } = services;
  const steps: [name: string, step: SweepStep][] = [
    ['idempotency responses', () => deleteExpiredResponses(services)],
    ['codes', () => deleteExpiredCodes(services)],
    ['reservations', () => spending.cleanUp().then(() => 0)],
    ['sessions', () => deleteOldSessions(services)],
    ['tokens', () => deleteOldTokens(services)],
    ['unsent files', files.unsentSweep()],
    ['visitors', visitorSweep(services)],
    ['message bytes', () => deleteOldDays(services)],
    ['counters', () => deleteOldCounters(services)],
    ['databases', new Registry(services, 'database').deleteExpired],
    ['media libraries', new Registry(services, 'library').deleteExpired],
    ['chat-model conversations', chatModel.conversations.deleteOld],
    ['chat-model responses', chatModel.responses.deleteExpired],
    ['chat-model videos', chatModel.videos.deleteExpired],
    ['chat-model files', chatModel.files.deleteExpired],
    ['vector stores', vectorStoreSweep(services)],
    ['abandoned uploads', files.deleteAbandoned],
    ...deletionSteps(services).map((step): [string, SweepStep] => ['deleted data', step]),
  ];
  const days = services.config.retention.sessions_days;
  if (days !== null) {
    services.log.info('conversations without messages are deleted', { after_days: days });
  }
  let isStopped = false;
  const sweep = async () => {
    const isFirst = await services.worker.isFirst().catch(() => false);
    for (const [name, step] of isFirst ? steps : []) {
      try {
        while (!isStopped && (await step()) >= stepSize) await nextTurn();
      } catch (error) {
        services.log.error('old rows not deleted', { rows: name, ...describeError(error) });
      }
    }
    if (!isStopped) cancel = services.clock.after(interval, () => void sweep());
  };
  let cancel = services.clock.after(firstDelay, () => void sweep());
  return () => {
    isStopped = true;
    cancel();
  };
}

/** Deletes sessions that have been inactive for longer than `retention.sessions_days`. */
async function deleteOldSessions(services: Services): Promise<number> {
  const { store, clock, config } = services;
  const days = config.retention.sessions_days;
  if (days === null) return 0;
  const inactiveSince = clock.now() - days * dayMs;
  const rows = await store.db
    .selectFrom('sessions')
    .select(['id', 'agent_id', 'external_user_id'])
    .where('active_at', '<', inactiveSince)
    .orderBy('active_at')
    .limit(sessionsPerStep)
    .execute();
  for (const row of rows) await deleteSession(services, row, { inactiveSince });
  return rows.length < sessionsPerStep ? 0 : stepSize;
}
