import { type Platform, sessionPath } from '../http/platform.ts';
import { moment, since } from '../moment.ts';
import { type PersistOptions, untilDone } from '../until-done.ts';
import { Pause } from '../wait.ts';
import { readEventPage } from '../wire/answers.ts';
import { type ReadEvent, readEvent } from '../wire/read-event.ts';

/** Least time from one question to the next, in milliseconds. */
const pace = 3_000;

export interface FollowLogOptions extends PersistOptions {
  readonly platform: Platform;
  readonly sessionId: string;
  /** `seq` of the last event that is known. */
  readonly after: () => number;
  /** Seconds that the platform may wait for something to tell; 0 where no connection is to spare. */
  readonly wait: number;
  /** What came, oldest first; nothing, if nothing happened. */
  readonly onEvents: (events: readonly ReadEvent[]) => void;
}

/**
 * Follows a session by asking for its log over and over: slower than a stream and without fragments,
 * and it works where streams do not. Resolves when the signal is aborted; rejects for what no repeat
 * can mend.
 */
export async function followLog(options: FollowLogOptions): Promise<void> {
  const { ports, platform, sessionId, after, wait, onEvents, signal } = options;
  const path = `${sessionPath(sessionId)}/events`;
  const pause = new Pause(ports.clock);
  while (!signal.aborted) {
    const asked = moment(ports.clock);
    const known = after();
    const query = { order: 'asc', limit: 200, after_seq: known, wait };
    const page = await untilDone(
      () => platform.call(path, readEventPage, { query, signal }),
      options,
    ).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted || !page) return;
    onEvents(page.data.map(readEvent));
    // No pause where there was news: what comes next is waited for by the platform.
    const rest = wait > 0 && after() > known ? 0 : pace - since(asked, ports.clock);
    if (rest > 0) await pause.wait(rest, signal);
  }
}
