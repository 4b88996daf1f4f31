import type { LiveEvent, LogEvent, UserContent } from '@inlay/protocol';
import type { ConversationEvent } from '../conversation/reducer/events.ts';
import { reduce } from '../conversation/reducer/index.ts';
import { initialConversationState } from '../conversation/reducer/initial-state.ts';
import type { ConversationState } from '../conversation/state.ts';
import { AgentApi } from '../http/api.ts';
import { browserPorts, type Clock, type Ports } from '../ports.ts';
import { Reachability } from '../reachability.ts';
import { SessionStream } from '../stream/session-stream.ts';
import { sseTransport } from '../stream/sse.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakePage } from '../testing/fake-page.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import { TokenManager } from '../tokens/token-manager.ts';
import { ServerLog } from './server-log.ts';
import { type OwnMessage, type ServerEvent, unknownType } from './session-generator.ts';
import type { SseFrame } from './sse-frame.ts';

/** A connection of a client until it breaks. */
export interface Connection {
  /** Number of server events before it opens. */
  readonly missedEvents: number;
  /** Number of bytes before it breaks. */
  readonly bytes: number;
  /** Sizes of its chunks in bytes, used cyclically; empty for one chunk per frame. */
  readonly chunkSizes: readonly number[];
  /** Number of events before `Last-Event-ID` that the server sends again. */
  readonly repeatedEvents: number;
  /** Every nth logged event is sent twice; 0 for none. */
  readonly duplicateEvery: number;
}

export interface Schedule {
  readonly connections: readonly Connection[];
  /** Number of server events between logging a message and responding to its sender. */
  readonly responseDelay: number;
}

/** Returns the state of an uninterrupted session, with the reducer alone. */
export function reduceUninterrupted(serverEvents: readonly ServerEvent[]): ConversationState {
  const events = serverEvents.flatMap(({ frame, ownMessage }): ConversationEvent[] => {
    const { event } = frame;
    if (!event) return [];
    if (!ownMessage) return [event];
    const { key } = ownMessage;
    const accepted = { type: 'local.accepted', key, event: ownMessage.event } as const;
    return [...sendingEvents(ownMessage), event, accepted];
  });
  return reduce(
    initialConversationState,
    events.filter(({ type }) => type !== unknownType),
  );
}

/** Returns the events of a message that is being sent. */
function sendingEvents({ key, event }: OwnMessage): ConversationEvent[] {
  const { content } = event;
  return [
    { type: 'local.message_added', key, content: content as UserContent, at: 0 },
    { type: 'local.delivery', key, delivery: 'sending', error: null },
  ];
}

const uninterrupted: Connection = {
  missedEvents: 0,
  bytes: Infinity,
  chunkSizes: [],
  repeatedEvents: 0,
  duplicateEvery: 0,
};
const encoder = new TextEncoder();
const baseUrl = 'http://platform.test';
const clock = new FakeClock();

/** A stopped clock. Timers of up to 1 ms fire immediately; longer timers never fire. */
const immediateClock: Clock = {
  now: clock.now,
  mono: clock.mono,
  setTimeout(callback, milliseconds) {
    if (milliseconds > 1) return clock.setTimeout(callback, milliseconds);
    queueMicrotask(callback);
    return null;
  },
  clearTimeout: clock.clearTimeout,
};
const page = new FakePage();

/**
 * Reads a session with the real transport, parser, stream and reducer from a simulated server, over
 * connections that break as scheduled.
 */
export class StreamSimulation {
  readonly #events: readonly ServerEvent[];
  readonly #schedule: Schedule;
  readonly #log = new ServerLog();
  readonly #connections: Connection[];
  /** Responses to sent messages, each due when the server reaches the event with index `due`. */
  #pendingResponses: { readonly due: number; readonly event: ConversationEvent }[] = [];
  #fullTexts: ReadonlyMap<string, string> | null = null;
  #nextEvent = 0;
  #state: ConversationState = initialConversationState;
  #batch: ConversationEvent[] = [];
  #finish: () => void = () => {};
  #failure: string | null = null;

  constructor(events: readonly ServerEvent[], schedule: Schedule) {
    this.#events = events;
    this.#schedule = schedule;
    this.#connections = [...schedule.connections];
  }

  /** Reads the session to its end. */
  async run(): Promise<ConversationState> {
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    const stream = new SessionStream({
      ...contextFor((_, init) => this.#fetch(init)),
      after: 0,
      sessionId: () => 'ses_1',
      running: () => false,
      request: () => ({ method: 'GET', url: `${baseUrl}/stream` }),
      onEvent: (event: LogEvent | LiveEvent) => this.#batch.push(event),
      onConnection: () => {},
      onEnd: (error) => {
        throw error;
      },
      onDenied: (error) => {
        throw error;
      },
    });
    await finished;
    stream.close();
    this.#flush();
    if (this.#failure) throw new Error(this.#failure);
    return this.#state;
  }

  async #fetch(init: RequestInit = {}): Promise<Response> {
    const connection = this.#connections.shift() ?? uninterrupted;
    for (let count = 0; count < connection.missedEvents; count += 1) this.#advance();
    const after = Number(new Headers(init.headers).get('last-event-id'));
    const chunks = splitIntoChunks(this.#bytesOf(connection, after), connection.chunkSizes);
    const read = async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
      this.#flush();
      const next = chunks.next();
      if (!next.done) return { done: false, value: next.value };
      if (connection !== uninterrupted) throw new TypeError('terminated');
      this.#finish();
      return new Promise(() => {});
    };
    const headers = new Headers({ 'content-type': 'text/event-stream' });
    const body = { getReader: () => ({ read, cancel: async () => {} }) };
    // Creating a real `Response` would take most of the test's time.
    return { ok: true, status: 200, headers, body } as unknown as Response;
  }

  /** Yields the bytes of a connection. The server advances as fast as they are read. */
  *#bytesOf(connection: Connection, after: number): Generator<Uint8Array> {
    let remaining = connection.bytes;
    const start = Math.max(0, after - connection.repeatedEvents);
    for (const frame of this.#framesFor(connection, start)) {
      const bytes = encoder.encode(frame.text);
      yield bytes.subarray(0, remaining);
      remaining -= bytes.length;
      if (remaining <= 0) return;
    }
  }

  *#framesFor({ duplicateEvery }: Connection, after: number): Generator<SseFrame> {
    // Only logged events: fragments have no identity.
    const isDuplicated = ({ event, seq }: SseFrame) =>
      event !== null && 'seq' in event && duplicateEvery > 0 && seq % duplicateEvery === 0;
    for (const frame of this.#log.framesAfter(after)) {
      yield frame;
      if (isDuplicated(frame)) yield frame;
    }
    for (let frame = this.#advance(); frame; frame = this.#advance()) {
      yield frame;
      if (isDuplicated(frame)) yield frame;
    }
  }

  /** Advances the server by one event. Returns its frame; null at the end. */
  #advance(): SseFrame | null {
    const serverEvent = this.#events[this.#nextEvent];
    if (!serverEvent) return null;
    const { frame, ownMessage } = serverEvent;
    if (ownMessage) {
      // The client sends a message only after the responses to all earlier messages.
      this.#respond(Infinity);
      const { key, event } = ownMessage;
      this.#batch.push(...sendingEvents(ownMessage));
      const due = this.#nextEvent + this.#schedule.responseDelay;
      this.#pendingResponses.push({ due, event: { type: 'local.accepted', key, event } });
    }
    this.#log.append(frame);
    this.#respond(this.#nextEvent + 1 < this.#events.length ? this.#nextEvent : Infinity);
    this.#nextEvent += 1;
    return frame;
  }

  /** Responds to the requests that are due at the event with index `now`. */
  #respond(now: number): void {
    const due = this.#pendingResponses.filter((response) => response.due <= now);
    this.#pendingResponses = this.#pendingResponses.filter((response) => response.due > now);
    for (const { event } of due) this.#batch.push(event);
  }

  /** Returns the complete streamed text of an event. */
  #fullText(id: string): string {
    this.#fullTexts ??= streamedTexts(this.#events);
    return this.#fullTexts.get(id) ?? '';
  }

  #flush(): void {
    if (this.#batch.length === 0) return;
    this.#state = reduce(this.#state, this.#batch.splice(0));
    for (const entry of this.#state.entries) {
      if (!('progress' in entry) || entry.progress !== 'streaming' || !('text' in entry)) continue;
      if (this.#fullText(entry.key).startsWith(entry.text)) continue;
      this.#failure ??= `This text was never streamed: ${JSON.stringify(entry.text)}`;
    }
  }
}

/** Returns the joined fragments of each streamed event by its id. */
function streamedTexts(events: readonly ServerEvent[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { frame } of events) {
    if (frame.event?.type !== 'event_delta') continue;
    const { event_id: id, delta } = frame.event;
    texts.set(id, (texts.get(id) ?? '') + delta.content.text);
  }
  return texts;
}

/** Splits each byte array into chunks of these sizes, used cyclically. */
function* splitIntoChunks(
  arrays: Iterable<Uint8Array>,
  sizes: readonly number[],
): Generator<Uint8Array> {
  let chunks = 0;
  for (const bytes of arrays) {
    for (let offset = 0; offset < bytes.length; chunks += 1) {
      const size = sizes[chunks % sizes.length] ?? bytes.length;
      yield bytes.slice(offset, offset + size);
      offset += size;
    }
  }
}

const tokens = new TokenManager({
  source: hostTokens(() => 'et_1'),
  baseUrl,
  ports: portsFor(fetch),
  describe: async () => ({ lifetime: Infinity, subject: 'ada', serverTime: 0 }),
});

function portsFor(fetch: Ports['fetch']): Ports {
  return browserPorts({
    clock: immediateClock,
    page,
    random: () => 0,
    uniqueId: () => 'id',
    fetch,
    channel: () => null,
  });
}

function contextFor(fetch: Ports['fetch']): StreamContext {
  const ports = portsFor(fetch);
  const reachability = new Reachability();
  const platform = new AgentApi({ baseUrl, ports, tokens, reachability });
  const network = { buffersStreams: false };
  return {
    ports,
    tokens,
    platform,
    reachability,
    transport: sseTransport,
    onDiagnostic: () => {},
    network,
  };
}
