import type { Services } from '../deps.ts';
import { EventLog } from '../events/event-log.ts';
import { Files } from '../files/files.ts';
import { newId } from '../ports/random.ts';
import { Leases } from '../runs/leases.ts';
import { RunEngine } from '../runs/run-engine.ts';
import { Spending } from '../runs/spending.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import { Sessions } from './sessions.ts';

/** The services for sessions, created once for all routes. */
export interface Conversations {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly events: EventLog;
  readonly files: Files;
  readonly leases: Leases;
  readonly spending: Spending;
  readonly hub: StreamHub;
  readonly engine: RunEngine;
  /** Ends streams and stops runs. The next process continues the runs. */
  close(): Promise<void>;
}

/** Creates the services for sessions, and starts the run engine. */
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
      hub.close();
      await engine.close();
    },
  };
}
