import type { LiveEvent, LogEvent, UserContent } from '@inlay/protocol';
import { initialConversationState } from '../conversation/initial-state.ts';
import type { ConversationEvent } from '../conversation/local-events.ts';
import { reduce } from '../conversation/reducer.ts';
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
import type { Frame } from './frame.ts';
import { PlayedLog } from './played-log.ts';
import { type Happening, type Typed, unknownType } from './told-session.ts';

/** A connection of a client, from its opening to its cut. */
export interface Connected {
  /** Number of server events before it opens. */
  readonly absence: number;
  /** Number of bytes before it is cut. */
  readonly bytes: number;
  /** Sizes of its chunks in bytes, repeated; empty for one chunk. */
  readonly pieces: readonly number[];
  /** Number of events that the server repeats in addition to the missed ones. */
  readonly again: number;
  /** Interval of logged events that are sent twice; 0 for none. */
  readonly twice: number;
}

export interface Schedule {
  readonly connections: readonly Connected[];
  /** Number of server events between logging a message and responding to its sender. */
  readonly answerAfter: number;
}

/** Returns the state of an uninterrupted session, with the reducer alone. */
export function readWhole(happenings: readonly Happening[]): ConversationState {
  const events = happenings.flatMap(({ frame, typed }): ConversationEvent[] => {
    const { event } = frame;
    if (!event) return [];
    if (!typed) return [event];
    const { key } = typed;
    return [...typedEvents(typed), event, { type: 'local.accepted', key, event: typed.event }];
  });
  return reduce(
    initialConversationState,
    events.filter(({ type }) => type !== unknownType),
  );
}

function typedEvents({ key, event }: Typed): ConversationEvent[] {
  const { content } = event;
  return [
    { type: 'local.typed', key, content: content as UserContent, at: 0 },
    { type: 'local.delivery', key, delivery: 'sending', error: null },
  ];
}

const uncut: Connected = { absence: 0, bytes: Infinity, pieces: [], again: 0, twice: 0 };
const encoder = new TextEncoder();
const baseUrl = 'http://platform.test';
const clock = new FakeClock();

/** A clock that stands still and whose timers fire at once. */
const promptClock: Clock = {
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
 * connections that are cut by a schedule.
 */
export class StreamRig {
  readonly #happenings: readonly Happening[];
  readonly #schedule: Schedule;
  readonly #log = new PlayedLog();
  readonly #connections: Connected[];
  #answers: { readonly at: number; readonly event: ConversationEvent }[] = [];
  #texts: ReadonlyMap<string, string> | null = null;
  #next = 0;
  #state: ConversationState = initialConversationState;
  #batch: ConversationEvent[] = [];
  #finish: () => void = () => {};
  #fault: string | null = null;

  constructor(happenings: readonly Happening[], schedule: Schedule) {
    this.#happenings = happenings;
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
    if (this.#fault) throw new Error(this.#fault);
    return this.#state;
  }

  async #fetch(init: RequestInit = {}): Promise<Response> {
    const connected = this.#connections.shift() ?? uncut;
    for (let count = 0; count < connected.absence; count += 1) this.#happen();
    const after = Number(new Headers(init.headers).get('last-event-id'));
    const chunks = inPieces(this.#bytesOf(connected, after), connected.pieces);
    const read = async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
      this.#flush();
      const next = chunks.next();
      if (!next.done) return { done: false, value: next.value };
      if (connected !== uncut) throw new TypeError('terminated');
      this.#finish();
      return new Promise(() => {});
    };
    const headers = new Headers({ 'content-type': 'text/event-stream' });
    const body = { getReader: () => ({ read }) };
    // A real `Response` takes longer than the rest of the test.
    return { ok: true, status: 200, headers, body } as unknown as Response;
  }

  /** Yields the bytes of a connection. Server events occur as fast as they are read. */
  *#bytesOf(connected: Connected, after: number): Generator<Uint8Array> {
    let left = connected.bytes;
    const from = Math.max(0, after - connected.again);
    for (const frame of this.#framesFor(connected, from)) {
      const bytes = encoder.encode(frame.text);
      yield bytes.subarray(0, left);
      left -= bytes.length;
      if (left <= 0) return;
    }
  }

  *#framesFor(connected: Connected, from: number): Generator<Frame> {
    // Only logged events: fragments have no identity.
    const doubled = ({ event, seq }: Frame) =>
      event !== null && 'seq' in event && connected.twice > 0 && seq % connected.twice === 0;
    for (const frame of this.#log.after(from)) {
      yield frame;
      if (doubled(frame)) yield frame;
    }
    for (let frame = this.#happen(); frame; frame = this.#happen()) {
      yield frame;
      if (doubled(frame)) yield frame;
    }
  }

  /** Performs the next server event. Returns null if there is none. */
  #happen(): Frame | null {
    const happening = this.#happenings[this.#next];
    if (!happening) return null;
    const { frame, typed } = happening;
    if (typed) {
      // The client sends one event at a time.
      this.#answer(Infinity);
      const { key, event } = typed;
      this.#batch.push(...typedEvents(typed));
      const at = this.#next + this.#schedule.answerAfter;
      this.#answers.push({ at, event: { type: 'local.accepted', key, event } });
    }
    this.#log.take(frame);
    this.#answer(this.#next + 1 < this.#happenings.length ? this.#next : Infinity);
    this.#next += 1;
    return frame;
  }

  /** Resolves requests whose response is due. */
  #answer(now: number): void {
    const due = this.#answers.filter(({ at }) => at <= now);
    this.#answers = this.#answers.filter(({ at }) => at > now);
    for (const { event } of due) this.#batch.push(event);
  }

  /** Returns the complete streamed text of an event. */
  #spoken(id: string): string {
    this.#texts ??= textsOf(this.#happenings);
    return this.#texts.get(id) ?? '';
  }

  #flush(): void {
    if (this.#batch.length === 0) return;
    this.#state = reduce(this.#state, this.#batch.splice(0));
    for (const entry of this.#state.entries) {
      if (!('progress' in entry) || entry.progress !== 'streaming' || !('text' in entry)) continue;
      if (this.#spoken(entry.key).startsWith(entry.text)) continue;
      this.#fault ??= `This was never said: ${JSON.stringify(entry.text)}`;
    }
  }
}

function textsOf(happenings: readonly Happening[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { frame } of happenings) {
    if (frame.event?.type !== 'event_delta') continue;
    const { event_id: id, delta } = frame.event;
    texts.set(id, (texts.get(id) ?? '') + delta.content.text);
  }
  return texts;
}

/** Splits the bytes of a generator into chunks of these sizes. */
function* inPieces(bytes: Iterable<Uint8Array>, sizes: readonly number[]): Generator<Uint8Array> {
  let turn = 0;
  for (const chunk of bytes) {
    for (let at = 0; at < chunk.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? chunk.length;
      yield chunk.slice(at, at + size);
      at += size;
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
    clock: promptClock,
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
