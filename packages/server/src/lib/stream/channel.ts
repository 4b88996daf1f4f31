import type { DeltaType, LogEvent } from '@inlay/protocol';
import type { ReceivedEvent, SessionMessage } from '../bus/bus.ts';
import type { EventLog } from '../events/event-log.ts';
import { frame } from './frame.ts';
import type { Reader } from './reader.ts';

type Delta = Extract<SessionMessage, { kind: 'session_delta' }>;

/** Dependencies that all channels share. */
export interface ChannelPorts {
  readonly events: EventLog;
  /** Maximum bytes of events that one query of a replay reads. */
  readonly replayBytes: number;
  /** Asks the process that runs the session to publish the current partial event from its start. */
  readonly askForBeginning: (sessionId: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers the events of one session to its readers in this process. Events arrive from the bus,
 * from a reader's replay and from queries for missed events; all of them pass through `#ingest` in
 * the order of the log, so that each reader gets every event exactly once.
 */
export class Channel {
  /** Number of readers and long polls that use the channel. */
  followers = 0;
  readonly sessionId: string;
  /** The subscription to the bus. */
  readonly #followed: ReceivedEvent;
  readonly #ports: ChannelPorts;
  readonly #readers = new Set<Reader>();
  /**
   * Callbacks of long polls. An array, because it is mostly empty and every open session has one.
   */
  #waiting: readonly (() => void)[] = [];
  readonly #opened: Promise<void>;
  /** `seq` of the last event that was sent to live readers. Valid once the channel is open. */
  #lastSeq = 0;
  #isOpen = false;
  /** The highest known `seq`. If it is greater than `#lastSeq`, events were missed. */
  #knownSeq = 0;
  /** The partial event that is being streamed, with its text so far. */
  #live: { id: string; type: DeltaType; text: string } | null = null;
  /** Number of fragments since the last event of the log. */
  #fragment = 0;
  #filling: Promise<void> | null = null;

  constructor(sessionId: string, followed: ReceivedEvent, ports: ChannelPorts) {
    this.sessionId = sessionId;
    this.#followed = followed;
    this.#ports = ports;
    this.#opened = this.#open();
    // Callers await `#opened` later; this prevents an unhandled rejection until then.
    this.#opened.catch(() => {});
  }

  /** Replays the events that a reader lacks, then sends it live events. */
  async join(reader: Reader): Promise<void> {
    const isFirst = this.#readers.size === 0;
    this.#readers.add(reader);
    await this.#opened;
    if (isFirst) this.#askForBeginning();
    while (reader.isOpen) {
      await this.#waitFor(reader.lastSeq);
      await this.#replayPage(reader);
      // Waits for a slow reader between pages, so that memory holds no page in the meantime.
      await reader.drained();
      // No `await` between this comparison and going live, or an event could be lost.
      if (reader.lastSeq === this.#lastSeq) {
        reader.isLive = true;
        this.#preview(reader);
        return;
      }
    }
  }

  async #replayPage(reader: Reader): Promise<void> {
    for (const event of await this.#read(reader.lastSeq)) {
      this.#hearEvent(event);
      reader.write(frame(event, { seq: event.seq, fragment: 0 }));
      reader.lastSeq = event.seq;
    }
  }

  /** Removes a reader. */
  leave(reader: Reader): void {
    this.#readers.delete(reader);
  }

  /** Unsubscribes from the bus. Called when the channel has no followers left. */
  close(): void {
    this.#followed.end();
  }

  /**
   * Ends the streams of a session that was deleted without an event. Reconnecting clients get 404.
   */
  dismiss(): void {
    for (const reader of [...this.#readers]) reader.end();
  }

  /**
   * `seq` of the last event that this process knows. Never greater than the last `seq` in the
   * store.
   */
  async position(): Promise<number> {
    await this.#opened;
    return this.#lastSeq;
  }

  /** Resolves when an event after `seq` has arrived, or when `signal` is aborted. */
  beyond(seq: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.#lastSeq <= seq && !signal.aborted) return;
        this.#waiting = this.#waiting.filter((other) => other !== check);
        signal.removeEventListener('abort', check);
        resolve();
      };
      this.#waiting = [...this.#waiting, check];
      signal.addEventListener('abort', check);
      check();
    });
  }

  /** Handles a bus message about the session. */
  hear(message: SessionMessage): void {
    if (message.kind === 'session_events') this.#handleEvents(message.events);
    // Long polls return whole events only, so fragments matter only to readers.
    if (message.kind === 'session_delta' && this.#readers.size > 0) this.#handleDelta(message);
  }

  /** Reads events up to `seq` that the bus did not deliver. */
  async catchUp(seq: number): Promise<void> {
    await this.#waitFor(seq);
  }

  async #open(): Promise<void> {
    // Subscribes before reading `lastSeq`; otherwise events in between would be missed.
    await this.#followed.ready;
    this.#lastSeq = await this.#ports.events.lastSeq(this.sessionId);
    this.#isOpen = true;
    this.#fill();
  }

  #handleEvents(events: readonly LogEvent[]): void {
    for (const event of events) this.#hearEvent(event);
    this.#fill();
  }

  #hearEvent(event: LogEvent): void {
    this.#knownSeq = Math.max(this.#knownSeq, event.seq);
    // The log of a deleted session is gone, so the events before this one cannot be read.
    const isNext = event.seq === this.#lastSeq + 1 || event.type === 'session.deleted';
    if (this.#isOpen && isNext) this.#ingest(event);
  }

  #handleDelta({ event, offset, text }: Delta): void {
    if (this.#live?.id !== event.id) {
      if (offset > 0) {
        this.#askForBeginning();
        return;
      }
      this.#live = { ...event, text: '' };
      this.#fragment += 1;
      this.#deliver(event.type, startOf(event), this.#fragment);
    }
    const known = this.#live.text.length;
    if (offset > known) {
      this.#askForBeginning();
      return;
    }
    const news = text.slice(known - offset);
    if (news === '') return;
    this.#live.text += news;
    this.#fragment += 1;
    this.#deliver(event.type, deltaOf(event.id, news), this.#fragment);
  }

  /** Sends an event of the log to all live readers, unless they have it already. */
  #ingest(event: LogEvent): void {
    if (event.seq <= this.#lastSeq) return;
    this.#lastSeq = event.seq;
    this.#fragment = 0;
    // A status event ends the partial event: its id will not be completed.
    if (event.id === this.#live?.id || event.type.startsWith('session.status_')) this.#live = null;
    const bytes = frame(event, { seq: event.seq, fragment: 0 });
    const isEnd = event.type === 'session.deleted';
    for (const reader of this.#readers) {
      if (!isEnd && !reader.isLive) continue;
      if (isEnd) reader.end(bytes);
      else reader.write(bytes);
      reader.lastSeq = event.seq;
    }
    for (const check of this.#waiting) check();
  }

  #deliver(type: DeltaType, event: { type: string }, fragment: number): void {
    if (!this.#isOpen) return;
    const position = { seq: this.#lastSeq, fragment };
    let bytes: Buffer | null = null;
    for (const reader of this.#readers) {
      if (!reader.isLive || !reader.deltas.has(type)) continue;
      bytes ??= frame(event, position);
      reader.write(bytes);
    }
  }

  /** Sends the current partial event to a reader that joins while it is streamed. */
  #preview(reader: Reader): void {
    const live = this.#live;
    if (!live || !reader.deltas.has(live.type)) return;
    const position = { seq: this.#lastSeq, fragment: this.#fragment };
    reader.write(frame(startOf(live), position));
    if (live.text !== '') reader.write(frame(deltaOf(live.id, live.text), position));
  }

  /** Waits until live readers have received all events up to `seq`. */
  async #waitFor(seq: number): Promise<void> {
    if (seq <= this.#lastSeq) return;
    this.#knownSeq = Math.max(this.#knownSeq, seq);
    this.#fill();
    await this.#filling;
  }

  /** Reads missed events in the background, with at most one query at a time. */
  #fill(): void {
    if (!this.#isOpen || this.#filling || this.#knownSeq <= this.#lastSeq) return;
    this.#filling = this.#readMissed()
      .catch(this.#ports.onError)
      .finally(() => {
        this.#filling = null;
      });
  }

  async #readMissed(): Promise<void> {
    while (this.#knownSeq > this.#lastSeq) {
      const events = await this.#read(this.#lastSeq);
      if (events.length === 0) return;
      for (const event of events) this.#ingest(event);
    }
  }

  #askForBeginning(): void {
    this.#ports.askForBeginning(this.sessionId);
  }

  #read(after: number): Promise<LogEvent[]> {
    return this.#ports.events.readPage(this.sessionId, { after, bytes: this.#ports.replayBytes });
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
