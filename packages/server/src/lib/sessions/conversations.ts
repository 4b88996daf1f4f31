import type { Services } from '../deps.ts';
import { EventLog } from '../events/event-log.ts';
import { Files } from '../files/files.ts';
import { forgetOldAnswers } from '../idempotency/idempotent.ts';
import { deleteOldDays } from '../limits/message-allowance.ts';
import { describeError } from '../log/logger.ts';
import { newId } from '../ports/random.ts';
import { Leases } from '../runs/leases.ts';
import { RunEngine } from '../runs/run-engine.ts';
import { Spending } from '../runs/spending.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import { forgetOldCodes } from '../tokens/exchange-codes.ts';
import { Sessions } from './sessions.ts';

/** Everything that conversations need, built once for all routes. */
export interface Conversations {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly events: EventLog;
  readonly files: Files;
  readonly leases: Leases;
  readonly spending: Spending;
  readonly hub: StreamHub;
  readonly engine: RunEngine;
  /** Ends streams and lets go of runs. What was begun is taken up at the next start. */
  close(): Promise<void>;
}

export function createConversations(services: Services): Conversations {
  const { store, clock, random } = services;
  const events = new EventLog(services);
  const files = new Files(services);
  const spending = new Spending(services);
  const leases = new Leases({
    store,
    clock,
    owner: newId(random, 'proc_'),
    newId: () => newId(random, 'run_'),
  });
  const hub = new StreamHub(services, events);
  const engine = new RunEngine(services, {
    events,
    leases,
    spending,
    loadAttachment: (session) => (fileId) =>
      files.forModel(
        { agentId: session.agent_id, externalUserId: session.external_user_id },
        fileId,
      ),
  });
  const cancelTidying = keepTidy(services, files, spending);
  return {
    services,
    sessions: new Sessions(services),
    events,
    files,
    leases,
    spending,
    hub,
    engine,
    async close() {
      cancelTidying();
      hub.close();
      await engine.close();
    },
  };
}

/** Milliseconds between two times of removing what nobody can ask for any more. */
const tidyInterval = 3_600_000;
/** Until the first time. A process that died may have left something behind. */
const firstTidying = 60_000;

/** Returns what stops it. */
function keepTidy(services: Services, files: Files, spending: Spending): () => void {
  let isStopped = false;
  const tidy = async () => {
    await forgetOldAnswers(services).catch((error: unknown) =>
      services.log.error('old answers not forgotten', describeError(error)),
    );
    await forgetOldCodes(services).catch((error: unknown) =>
      services.log.error('old codes not forgotten', describeError(error)),
    );
    await deleteOldDays(services).catch((error: unknown) =>
      services.log.error('old days not deleted', describeError(error)),
    );
    await spending
      .tidy()
      .catch((error: unknown) => services.log.error('spending not tidied', describeError(error)));
    await files
      .sweep()
      .catch((error: unknown) => services.log.error('files not removed', describeError(error)));
    if (!isStopped) cancel = services.clock.after(tidyInterval, () => void tidy());
  };
  let cancel = services.clock.after(firstTidying, () => void tidy());
  return () => {
    isStopped = true;
    cancel();
  };
}
