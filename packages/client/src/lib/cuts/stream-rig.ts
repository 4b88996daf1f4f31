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

/** One connection of a client, from its opening to its cut. */
export interface Connected {
  /** How many things happen at the server before it opens. */
  readonly absence: number;
  /** How many bytes pass before it is cut. */
  readonly bytes: number;
  /** Bytes of the pieces in which they come, over and over; empty for all in one. */
  readonly pieces: readonly number[];
  /** How many events more than were missed the server sends again. */
  readonly again: number;
  /** Every so manieth event of the log comes twice; 0 for none. */
  readonly twice: number;
}

export interface Schedule {
  readonly connections: readonly Connected[];
  /** How many things happen between a message's coming into the log and the answer to its sender. */
  readonly answerAfter: number;
}

/** What is shown of a session that was never cut, by the reducer alone. */
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

/** Time stands still, and the shortest of waits is over at once. */
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
 * What reads a session for a conversation (transport, parser, stream, reducer), and a server that
 * plays one to it over connections that are cut as a schedule says.
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
    // A real one costs more than everything else together.
    return { ok: true, status: 200, headers, body } as unknown as Response;
  }

  /** What passes over a connection. While it stands, things happen as fast as it takes them. */
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
    // Only events of the log: a fragment that comes twice is said twice.
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

  /** Lets the next thing happen; null where nothing is left. */
  #happen(): Frame | null {
    const happening = this.#happenings[this.#next];
    if (!happening) return null;
    const { frame, typed } = happening;
    if (typed) {
      // One thing is sent after the other.
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

  /** Gives the answers that are due by now to who sent what they are about. */
  #answer(now: number): void {
    const due = this.#answers.filter(({ at }) => at <= now);
    this.#answers = this.#answers.filter(({ at }) => at > now);
    for (const { event } of due) this.#batch.push(event);
  }

  /** All that is said live under an id, sooner or later. */
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

/** The bytes of a generator, cut anew into pieces of these sizes. */
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
