import { expect } from 'vitest';
import type { PlatformApi } from './platform-api.ts';
import type { ServerProcess } from './server-process.ts';
import { isType, message } from './setup-conversation.ts';

interface Processes {
  /** The process that creates the session, and is killed. */
  readonly first: ServerProcess;
  /** A process that keeps running. */
  readonly other: PlatformApi;
  /** Where the reader of the killed process connects again. */
  readonly api: PlatformApi;
}

/**
 * Kills a process during a run, and waits until another process takes over the run. Repeats this
 * until the killed process is the one that executes the run, because any process may execute the
 * run of a new session.
 *
 * @param start Starts the processes, or those of them that were killed before.
 * @param agent Short id of the agent, which must answer slowly.
 */
export async function killDuringRun(start: () => Promise<Processes>, agent = 'test') {
  for (;;) {
    const { first, other, api } = await start();
    const { token } = await first.issue('ada', { agent });
    const initial_events = [message('table')];
    const created = await first.call(token, 'POST', '/sessions', { initial_events });
    const { id } = (await created.json()) as { id: string };
    const tab = await first.follow(token, id);
    const otherReader = await other.follow(token, id);
    await tab.until(isType('event_delta'));

    first.child.kill('SIGKILL');
    const killedAt = performance.now();
    await expect(tab.toEnd()).rejects.toThrow();
    const lastId = tab.seen.findLast((event) => event.id !== undefined)?.id;
    const resumed = await api.follow(token, id, lastId);
    const next = await otherReader.until(
      isType('session.status_rescheduled', 'session.status_idle'),
    );
    const duration = performance.now() - killedAt;
    if (next.data.type === 'session.status_rescheduled') {
      return { token, id, tab, otherReader, resumed, duration };
    }
  }
}
