import type { DeltaType, LogEvent } from '@inlay/protocol';
import type { Caller } from '../auth/caller.ts';
import type { SessionMessage, Subscription } from '../bus/bus.ts';
import { eventForCaller } from '../events/event-for-caller.ts';
import type { EventLog } from '../events/event-log.ts';
import { callerScope } from '../idempotency/idempotent.ts';
import type { UserTurns } from '../limits/user-turns.ts';
import { frame } from './frame.ts';
import type { Reader } from './reader.ts';

type Delta = Extract<SessionMessage, { kind: 'session_delta' }>;

/**
 * The text so far of a partial event, and the `seq` of the event that it follows. Fragments are sent after
 * that event, which may arrive later than they do.
 */
interface PartialText {
  readonly id: string;
  readonly type: DeltaType;
  readonly after: number;
  text: string;
}

/** Dependencies that all channels share. */
export interface ChannelDeps {
  readonly events: EventLog;
  /** Maximum bytes of events that one query of a replay reads. */
  readonly replayBytes: number;
  /** Shared by all channels of the process. */
  readonly pageReads: UserTurns;
  /** Asks the process that runs the session to publish the current partial event from its start. */
  readonly requestPartialEvent: (sessionId: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers the events of one session to its readers in this process. Events arrive from the bus,
 * from a reader's replay and from queries for missed events; all of them pass through `#ingest` in
 * the order of the log, so that each reader gets every event exactly once.
 */
export class Channel {
  /** Number of readers and long polls that use the channel. */
  users = 0;
  readonly sessionId: string;
  /** The subscription to the bus. */
  readonly #subscription: Subscription;
  readonly #deps: ChannelDeps;
  readonly #readers = new Set<Reader>();
  /**
   * Callbacks of long polls. An array instead of a set, to save memory: every channel has one,
   * which is usually empty.
   */
  #longPollChecks: readonly (() => void)[] = [];
  readonly #opened: Promise<void>;
  /** `seq` of the last event that was sent to live readers. Valid once the channel is open. */
  #lastSeq = 0;
  #isOpen = false;
  /** The highest known `seq`. If it is greater than `#lastSeq`, events were missed. */
  #knownSeq = 0;
  /** The partial event that is being streamed. */
  #partial: PartialText | null = null;
  /**
   * Id of the last partial event that was abandoned. Its fragments are ignored: a process that was
   * suspended may publish one after another process has taken over the run.
   */
  #abandonedId: string | null = null;
  /** Number of fragments since the last event of the log. */
  #fragment = 0;
  /** The query for missed events that is in progress. */
  #pendingRead: Promise<void> | null = null;

  constructor(sessionId: string, subscription: Subscription, deps: ChannelDeps) {
    this.sessionId = sessionId;
    this.#subscription = subscription;
    this.#deps = deps;
    this.#opened = this.#open();
    // Callers await `#opened` later; this prevents an unhandled rejection until then.
    this.#opened.catch(() => {});
  }

  /** Replays the events after `reader.lastSeq`, then makes the reader live. */
  async join(reader: Reader): Promise<void> {
    const isFirst = this.#readers.size === 0;
    this.#readers.add(reader);
    await this.#opened;
    if (isFirst) this.#requestPartialEvent();
    while (reader.isOpen) {
      await this.catchUp(reader.lastSeq);
      const isUpToDate = reader.lastSeq === this.#lastSeq;
      const eventCount = await this.#deps.pageReads.run(callerScope(reader.caller), () =>
        this.#replayPage(reader),
      );
      // A slow reader delays the next query, so that no page is in memory during the wait.
      await reader.drained();
      // No `await` between this comparison and going live, or an event could be lost.
      if (reader.lastSeq === this.#lastSeq) {
        reader.isLive = true;
        this.#sendPartialEvent(reader);
        return;
      }
      // The session was deleted while the stream was being opened: its events are missing.
      if (!isUpToDate && eventCount === 0) reader.end();
    }
  }

  /** Sends the next events of the log to a reader. Returns their number. */
  async #replayPage(reader: Reader): Promise<number> {
    const events = await this.#read(reader.lastSeq);
    for (const event of events) {
      this.#handleEvent(event);
      reader.write(frame(eventForCaller(event, reader.caller), { seq: event.seq, fragment: 0 }));
      reader.lastSeq = event.seq;
    }
    return events.length;
  }

  /** `seq` of the last event that was sent to live readers; 0 before the channel is open. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Removes a reader. */
  leave(reader: Reader): void {
    this.#readers.delete(reader);
  }

  /** Unsubscribes from the bus. Called when `users` is 0. */
  close(): void {
    this.#subscription.end();
  }

  /**
   * Ends the streams of a deleted session whose `session.deleted` event did not arrive.
   * Reconnecting clients get 404.
   */
  endStreams(): void {
    for (const reader of [...this.#readers]) reader.end();
  }

  /**
   * `seq` of the last event that this channel has delivered. Never greater than the last `seq` in
   * the store.
   */
  async position(): Promise<number> {
    await this.#opened;
    return this.#lastSeq;
  }

  /** Resolves when an event after `seq` has arrived, or when `signal` is aborted. */
  waitForEventAfter(seq: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.#lastSeq <= seq && !signal.aborted) return;
        this.#longPollChecks = this.#longPollChecks.filter((other) => other !== check);
        signal.removeEventListener('abort', check);
        resolve();
      };
      this.#longPollChecks = [...this.#longPollChecks, check];
      signal.addEventListener('abort', check);
      check();
    });
  }

  /** Handles a bus message about the session. */
  handleMessage(message: SessionMessage): void {
    if (message.kind === 'session_events') this.#handleEvents(message.events);
    // Long polls return whole events only, so fragments matter only to readers.
    if (message.kind === 'session_delta' && this.#readers.size > 0) this.#handleDelta(message);
  }

  /** Reads and delivers the events up to `seq` that the bus did not deliver. */
  async catchUp(seq: number): Promise<void> {
    if (seq <= this.#lastSeq) return;
    this.#knownSeq = Math.max(this.#knownSeq, seq);
    this.#startReadingMissed();
    await this.#pendingRead;
  }

  async #open(): Promise<void> {
    // Subscribes before reading the last `seq`; otherwise events in between would be missed.
    await this.#subscription.ready;
    this.#lastSeq = await this.#deps.events.lastSeq(this.sessionId);
    this.#isOpen = true;
    this.#startReadingMissed();
  }

  #handleEvents(events: readonly LogEvent[]): void {
    for (const event of events) this.#handleEvent(event);
    this.#startReadingMissed();
  }

  #handleEvent(event: LogEvent): void {
    this.#knownSeq = Math.max(this.#knownSeq, event.seq);
    // The log of a deleted session is deleted, so earlier events that were missed cannot be read.
    const isNext = event.seq === this.#lastSeq + 1 || event.type === 'session.deleted';
    if (this.#isOpen && isNext) this.#ingest(event);
  }

  #handleDelta({ event, after, offset, text }: Delta): void {
    if (event.id === this.#abandonedId) return;
    if (this.#partial?.id !== event.id) {
      if (offset > 0) {
        this.#requestPartialEvent();
        return;
      }
      this.#partial = { ...event, after, text: '' };
      void this.catchUp(after);
      this.#sendFragment(this.#partial, startOf(event));
    }
    const knownLength = this.#partial.text.length;
    if (offset > knownLength) {
      this.#requestPartialEvent();
      return;
    }
    const newText = text.slice(knownLength - offset);
    if (newText === '') return;
    this.#partial.text += newText;
    this.#sendFragment(this.#partial, deltaOf(event.id, newText));
  }

  /** Sends an event of the log to all live readers, unless they have it already. */
  #ingest(event: LogEvent): void {
    if (event.seq <= this.#lastSeq) return;
    this.#lastSeq = event.seq;
    this.#fragment = 0;
    if (event.id === this.#partial?.id) {
      this.#partial = null;
    } else if (
      this.#partial &&
      this.#partial.after < event.seq &&
      event.type.startsWith('session.status_')
    ) {
      this.#abandonedId = this.#partial.id;
      this.#partial = null;
    }
    const bytesFor = framesOf(event);
    const isEnd = event.type === 'session.deleted';
    for (const reader of this.#readers) {
      if (!isEnd && !reader.isLive) continue;
      if (isEnd) reader.end(bytesFor(reader));
      else reader.write(bytesFor(reader));
      reader.lastSeq = event.seq;
      if (this.#partial?.after === event.seq) this.#sendPartialEvent(reader);
    }
    for (const check of this.#longPollChecks) check();
  }

  /** Sends a fragment to the live readers that requested deltas of its type. */
  #sendFragment({ type, after }: PartialText, fragment: { type: string }): void {
    this.#fragment += 1;
    if (after > this.#lastSeq) return;
    const position = { seq: this.#lastSeq, fragment: this.#fragment };
    let bytes: Buffer | null = null;
    for (const reader of this.#readers) {
      if (!reader.isLive || !reader.deltas.has(type)) continue;
      bytes ??= frame(fragment, position);
      reader.write(bytes);
    }
  }

  /** Sends the partial event that is being streamed, with its text so far, to a joining reader. */
  #sendPartialEvent(reader: Reader): void {
    const partial = this.#partial;
    if (!partial || partial.after > this.#lastSeq || !reader.deltas.has(partial.type)) return;
    const position = { seq: this.#lastSeq, fragment: this.#fragment };
    reader.write(frame(startOf(partial), position));
    if (partial.text !== '') reader.write(frame(deltaOf(partial.id, partial.text), position));
  }

  /** Reads missed events in the background, with at most one query at a time. */
  #startReadingMissed(): void {
    if (!this.#isOpen || this.#pendingRead || this.#knownSeq <= this.#lastSeq) return;
    this.#pendingRead = this.#readMissed()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#pendingRead = null;
      });
  }

  async #readMissed(): Promise<void> {
    while (this.#knownSeq > this.#lastSeq) {
      const eventCount = await this.#deps.pageReads.run(this.sessionId, async () => {
        const events = await this.#read(this.#lastSeq);
        for (const event of events) this.#ingest(event);
        return events.length;
      });
      if (eventCount === 0) return;
    }
  }

  #requestPartialEvent(): void {
    this.#deps.requestPartialEvent(this.sessionId);
  }

  #read(after: number): Promise<LogEvent[]> {
    return this.#deps.events.readPage(this.sessionId, { after, bytes: this.#deps.replayBytes });
  }
}

function startOf({ id, type }: { id: string; type: DeltaType }) {
  return { type: 'event_start', event: { id, type } };
}

function deltaOf(eventId: string, text: string) {
  return {
    type: 'event_delta',
    event_id: eventId,
    delta: { type: 'content_delta', index: 0, content: { type: 'text', text } },
  };
}

/** Returns a function that encodes an event for a reader, once per kind of caller. */
function framesOf(event: LogEvent): (reader: Reader) => Buffer {
  const frames: Partial<Record<Caller['kind'], Buffer>> = {};
  return ({ caller }) => {
    frames[caller.kind] ??= frame(eventForCaller(event, caller), { seq: event.seq, fragment: 0 });
    return frames[caller.kind] as Buffer;
  };
}
