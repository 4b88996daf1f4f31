import { addMissingWords } from '../events/search-index.ts';
import { deleteExpiredResponses } from '../idempotency/idempotent.ts';
import { deleteOldDays } from '../limits/message-quota.ts';
import { describeError } from '../log/logger.ts';
import type { Services } from '../services.ts';
import { deletionSteps, sessionsPerStep } from '../sessions/delete-sessions.ts';
import { deleteExpiredCodes } from '../tokens/exchange-codes.ts';
import { webhookSweep } from '../webhooks/delete-old-deliveries.ts';
import {
  consentSweep,
  deleteOldAuditEvents,
  deleteOldCounters,
  deleteOldOperatorSessions,
  deleteOldRefusedOrigins,
  deleteOldSignInAttempts,
  deleteOldTokens,
  deleteOldUsage,
  visitorSweep,
} from './delete-old-rows.ts';
import { sessionSweep } from './session-sweep.ts';
import { type NamedStep, repeatStep } from './sweep-step.ts';

/** Milliseconds between two sweeps. */
const interval = 3_600_000;
/** Milliseconds until the first sweep, which cleans up after processes that died. */
const firstDelay = 60_000;
/** Texts that a step indexes: fewer than `stepSize`, because a text may be long. */
const textsPerStep = 20;

/**
 * Starts an hourly sweep that deletes expired rows, and rows that are older than `retention` allows.
 * The sweep works in steps, so that requests are handled between them. Of several processes with one
 * database, the first one sweeps.
 *
 * @param loadSteps Loads the steps of the optional services.
 * @returns The function that stops the sweeps. It resolves after the current step.
 */
export function startSweep(
  services: Services,
  loadSteps: () => Promise<readonly NamedStep[]>,
): () => Promise<void> {
  const { files, spending } = services;
  const ownSteps: readonly NamedStep[] = [
    ['idempotency responses', () => deleteExpiredResponses(services)],
    ['codes', () => deleteExpiredCodes(services)],
    ['reservations', () => spending.cleanUp().then(() => 0)],
    ['sessions', sessionSweep(services), sessionsPerStep],
    ['tokens', () => deleteOldTokens(services)],
    ['unsent files', files.unsentSweep()],
    ['visitors', visitorSweep(services)],
    ['consents', consentSweep(services)],
    ['message bytes', () => deleteOldDays(services)],
    ['counters', () => deleteOldCounters(services)],
    ['usage', () => deleteOldUsage(services)],
    ['audit record', () => deleteOldAuditEvents(services)],
    ['abandoned uploads', files.deleteAbandoned],
    ['operator sessions', () => deleteOldOperatorSessions(services)],
    ['sign-in attempts', () => deleteOldSignInAttempts(services)],
    ['refused origins', () => deleteOldRefusedOrigins(services)],
    ['webhook deliveries', webhookSweep(services)],
    ['words of texts', () => addMissingWords(services.store, textsPerStep), textsPerStep],
    ...deletionSteps(services),
  ];
  const days = services.config.retention.sessions_days;
  if (days !== null) {
    services.log.info('conversations without messages are deleted', { after_days: days });
  }
  let isStopped = false;
  const perform = async (steps: readonly NamedStep[]) => {
    for (const step of steps) {
      const [name] = step;
      const count = (rows: number) => services.metrics?.countSweptRows(name, rows);
      try {
        await repeatStep(step, () => isStopped, count);
      } catch (error) {
        services.log.error('old rows not deleted', { rows: name, ...describeError(error) });
      }
    }
  };
  const sweep = async () => {
    const isFirst = await services.worker.isFirst().catch(() => false);
    if (isFirst) {
      await perform(ownSteps);
      if (!isStopped) await perform(await loadSteps());
    }
    if (!isStopped) schedule(interval);
  };
  let current = Promise.resolve();
  let cancel = () => {};
  const schedule = (delay: number) => {
    cancel = services.clock.after(delay, () => {
      current = sweep();
    });
  };
  schedule(firstDelay);
  return () => {
    isStopped = true;
    cancel();
    return current;
  };
}
