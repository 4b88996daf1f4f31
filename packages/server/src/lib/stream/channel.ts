import type { DeltaType, LogEvent } from '@inlay/protocol';
import type { Followed, SessionMessage } from '../bus/bus.ts';
import type { EventLog } from '../events/event-log.ts';
import { frame } from './frame.ts';
import type { Reader } from './reader.ts';

type Delta = Extract<SessionMessage, { kind: 'session_delta' }>;

/** The same for all: there is a channel for each session that is open. */
export interface ChannelPorts {
  readonly events: EventLog;
  /** Bytes of events that are read at a time while the log is replayed. */
  readonly replayBytes: number;
  /** Asks whoever produces an event of a session to say it again from its beginning. */
  readonly askForBeginning: (sessionId: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * All that follows one session in this process. Everything goes through `#ingest`, in the order of
 * the log: what came live, what a reader's replay found first, and what was missed and read later.
 * So each reader gets every event once, however those three overlap.
 */
export class Channel {
  /** How many follow it: its readers, and the requests that wait. */
  followers = 0;
  readonly sessionId: string;
  /** What other processes say of it. */
  readonly #followed: Followed;
  readonly #ports: ChannelPorts;
  readonly #readers = new Set<Reader>();
  /** A list, because it is mostly empty and there is one for each session that is open. */
  #waiting: readonly (() => void)[] = [];
  readonly #opened: Promise<void>;
  /** The last event of the log that live readers have. Unknown until the channel is open. */
  #lastSeq = 0;
  #isOpen = false;
  /** The highest `seq` heard of; where it is ahead of `#lastSeq`, something was missed. */
  #heardSeq = 0;
  /** The event being produced, and its text so far. */
  #live: { id: string; type: DeltaType; text: string } | null = null;
  /** Fragments since the last event of the log. */
  #fragment = 0;
  #filling: Promise<void> | null = null;

  constructor(sessionId: string, followed: Followed, ports: ChannelPorts) {
    this.sessionId = sessionId;
    this.#followed = followed;
    this.#ports = ports;
    this.#opened = this.#open();
    // Whoever follows awaits it and hears of a failure, but perhaps not yet when it fails.
    this.#opened.catch(() => {});
  }

  /** Gives a reader what it has not had, and then everything that comes. */
  async join(reader: Reader): Promise<void> {
    const isFirst = this.#readers.size === 0;
    this.#readers.add(reader);
    await this.#opened;
    if (isFirst) this.#askForBeginning();
    while (reader.isOpen) {
      await this.#reach(reader.lastSeq);
      await this.#replayPage(reader);
      // A reader that is slow holds no page meanwhile, only what its connection has buffered.
      await reader.drained();
      // No await between this comparison and the switch: nothing can come in between.
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

  leave(reader: Reader): void {
    this.#readers.delete(reader);
  }

  /** Nobody follows it any more. */
  close(): void {
    this.#followed.end();
  }

  /** The session is gone, and nobody has said so. Whoever comes back is told that it is not there. */
  dismiss(): void {
    for (const reader of [...this.#readers]) reader.end();
  }

  /** Where the log is, as far as is known here. Never ahead of what the store holds. */
  async position(): Promise<number> {
    await this.#opened;
    return this.#lastSeq;
  }

  /** Resolves when the log has gone beyond `seq`, or `signal` is aborted. */
  beyond(seq: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#lastSeq <= seq && !signal.aborted) return;
        this.#waiting = this.#waiting.filter((other) => other !== look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.#waiting = [...this.#waiting, look];
      signal.addEventListener('abort', look);
      look();
    });
  }

  hear(message: SessionMessage): void {
    if (message.kind === 'session_events') this.#hearEvents(message.events);
    // Fragments are for readers: who waits without reading wants what is whole.
    if (message.kind === 'session_delta' && this.#readers.size > 0) this.#hearDelta(message);
  }

  /** Reads what the bus lost, up to `seq`, which the store holds. */
  async catchUp(seq: number): Promise<void> {
    await this.#reach(seq);
  }

  async #open(): Promise<void> {
    // First: what is said between this look at the log and the first message would be missed.
    await this.#followed.ready;
    this.#lastSeq = await this.#ports.events.lastSeq(this.sessionId);
    this.#isOpen = true;
    this.#fill();
  }

  #hearEvents(events: readonly LogEvent[]): void {
    for (const event of events) this.#hearEvent(event);
    this.#fill();
  }

  #hearEvent(event: LogEvent): void {
    this.#heardSeq = Math.max(this.#heardSeq, event.seq);
    // Deleting a session leaves no log behind that could be read up to this event.
    const isNext = event.seq === this.#lastSeq + 1 || event.type === 'session.deleted';
    if (this.#isOpen && isNext) this.#ingest(event);
  }

  #hearDelta({ event, offset, text }: Delta): void {
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

  /** Passes on an event of the log, unless the readers had it already. */
  #ingest(event: LogEvent): void {
    if (event.seq <= this.#lastSeq) return;
    this.#lastSeq = event.seq;
    this.#fragment = 0;
    // A status ends whatever was being said: nobody will finish it under this id.
    if (event.id === this.#live?.id || event.type.startsWith('session.status_')) this.#live = null;
    const bytes = frame(event, { seq: event.seq, fragment: 0 });
    const isEnd = event.type === 'session.deleted';
    for (const reader of this.#readers) {
      if (!isEnd && !reader.isLive) continue;
      if (isEnd) reader.end(bytes);
      else reader.write(bytes);
      reader.lastSeq = event.seq;
    }
    for (const look of this.#waiting) look();
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

  /** What is being said just now, for a reader that joins in the middle of it. */
  #preview(reader: Reader): void {
    const live = this.#live;
    if (!live || !reader.deltas.has(live.type)) return;
    const position = { seq: this.#lastSeq, fragment: this.#fragment };
    reader.write(frame(startOf(live), position));
    if (live.text !== '') reader.write(frame(deltaOf(live.id, live.text), position));
  }

  /** Waits until live readers have as much as a reader says that it has. */
  async #reach(seq: number): Promise<void> {
    if (seq <= this.#lastSeq) return;
    this.#heardSeq = Math.max(this.#heardSeq, seq);
    this.#fill();
    await this.#filling;
  }

  /** Reads what was missed, in the background; one reading at a time. */
  #fill(): void {
    if (!this.#isOpen || this.#filling || this.#heardSeq <= this.#lastSeq) return;
    this.#filling = this.#readMissed()
      .catch(this.#ports.onError)
      .finally(() => {
        this.#filling = null;
      });
  }

  async #readMissed(): Promise<void> {
    while (this.#heardSeq > this.#lastSeq) {
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
