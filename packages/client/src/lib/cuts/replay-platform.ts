import { Connection, CuttingWire } from './cutting-wire.ts';
import { PlayedLog } from './played-log.ts';
import { type RecordedInput, recording, type Step } from './recording.ts';

const { steps, greeting, created, configs, sessionId } = recording;

export interface ReplayOptions {
  readonly wire?: CuttingWire;
  /** Number of frames that the platform sends while a client is disconnected. */
  readonly absence?: number;
}

/**
 * Replays the recorded platform: it continues when the user repeats a recorded action, processes
 * nothing twice, and lets clients resume as the real server does.
 */
export class ReplayPlatform {
  /** Errors of the client. */
  readonly faults: string[] = [];
  /** The text of each stream. */
  readonly streamed: string[] = [];
  readonly #wire: CuttingWire;
  readonly #absence: number;
  readonly #log = new PlayedLog();
  readonly #accepted = new Map<string, { body: string; answer: string }>();
  #stream: { connection: Connection; token: number } | null = null;
  #next = 0;
  #issued = 0;
  #expired = 0;
  #lost = 0;

  constructor({ wire = new CuttingWire(), absence = 0 }: ReplayOptions = {}) {
    this.#wire = wire;
    this.#absence = absence;
  }

  /** Whether the recording is complete. */
  get done(): boolean {
    return this.#next === steps.length;
  }

  /** Whether the next step is the user's. */
  get waits(): boolean {
    return steps[this.#next]?.do === 'input';
  }

  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  /** The user's events in the log. */
  get said(): RecordedInput[] {
    return this.#log.events
      .map(({ event }) => event as RecordedInput)
      .filter(({ type }) => type.startsWith('user.'));
  }

  /** Issues a token that is valid until its recorded counterpart ends. */
  issue(): string {
    this.#issued += 1;
    return `et_${this.#expired}_${this.#issued}`;
  }

  fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const headers = new Headers(init.headers);
    const path = pathname.replace(/^\/agent\/v1/, '').replace(sessionId, '{id}');
    const call = `${init.method ?? 'GET'} ${path}`;
    const token = Number(/^Bearer et_(\d+)_/.exec(headers.get('authorization') ?? '')?.[1]);
    const body = String(init.body ?? '');
    const key = headers.get('idempotency-key') ?? '';
    const name = `${call} ${token} ${body}`;
    this.#wire.pass(`${name} request`);
    if (token !== this.#expired) return this.#problem(name, 401, 'EMBED_TOKEN_EXPIRED');
    switch (call) {
      case 'GET /embed/config':
        return this.#answer(name, configs[token] ?? '');
      case 'POST /sessions':
        if (this.#take(key, body) === null) return this.#problem(name, 409, 'CONFLICT');
        return this.#open(name, token, 0, created);
      case 'POST /sessions/{id}/events': {
        const answer = this.#take(key, body);
        return answer === null ? this.#problem(name, 409, 'CONFLICT') : this.#answer(name, answer);
      }
      case 'GET /sessions/{id}/events/stream':
        return this.#open(name, token, Number.parseInt(headers.get('last-event-id') ?? '', 10), '');
      default:
        this.faults.push(`asked for ${call}`);
        return this.#problem(name, 404, 'NOT_FOUND');
    }
  };

  /** Replays steps until the user's next one, or until no stream is left. */
  proceed(): boolean {
    const before = this.#next;
    while (this.#mayProceed()) this.#play(steps[this.#next]);
    return this.#next > before;
  }

  #mayProceed(): boolean {
    const step = steps[this.#next];
    if (!step || step.do === 'input') return false;
    if (this.#stream && !this.#stream.connection.open) this.#stream = null;
    if (this.#stream) return step.do !== 'resume' || this.#stream.token === this.#expired;
    // The recording has the events that were missed after the end of a token.
    const last = steps.findLast(({ do: does }, at) => at < this.#next && does !== 'frame');
    if (last?.do === 'expire') return step.do !== 'resume';
    this.#lost += 1;
    return this.#lost <= this.#absence;
  }

  #play(step: Step | undefined): void {
    const name = `step ${this.#next}`;
    this.#next += 1;
    if (step?.do === 'frame') {
      this.#log.take(step.frame);
      this.#write(name, step.frame.text);
    } else if (step?.do === 'expire') {
      this.#expired += 1;
      this.#write(name, step.text);
      this.#stream?.connection.end();
      this.#stream = null;
    }
  }

  #write(name: string, text: string): void {
    if (!this.#stream) return;
    this.#stream.connection.write(name, text);
    this.streamed[this.streamed.length - 1] += text;
  }

  #open(name: string, token: number, after: number, first: string): Response {
    this.#wire.pass(`${name} head`);
    this.#stream?.connection.end();
    const connection = new Connection(this.#wire, 'text/event-stream; charset=utf-8');
    this.#stream = { connection, token };
    this.streamed.push('');
    const missed = this.#log.after(after).map(({ text }) => text);
    this.#write(`${name} body`, greeting + first + missed.join(''));
    return connection.response;
  }

  /** Processes an event of the user once for each key. Returns null if the key had another body. */
  #take(key: string, body: string): string | null {
    const earlier = this.#accepted.get(key);
    if (earlier) return earlier.body === body ? earlier.answer : null;
    const step = steps[this.#next];
    if (step?.do !== 'input' || JSON.stringify(step.body) !== body) {
      this.faults.push(`said twice, or never said then: ${body}`);
      return null;
    }
    this.#next += 1;
    this.#accepted.set(key, { body, answer: step.answer });
    return step.answer;
  }

  /** Returns a complete response. */
  #answer(name: string, text: string, status = 200, type = 'application/json'): Response {
    this.#wire.pass(`${name} head`);
    const connection = new Connection(this.#wire, type, status);
    connection.write(`${name} body`, text);
    connection.end();
    return connection.response;
  }

  #problem(name: string, status: number, code: string): Response {
    const problem = { type: 'about:blank', title: code, status, code, detail: code };
    const text = JSON.stringify({ ...problem, retryable: false });
    return this.#answer(`${name} ${code}`, text, status, 'application/problem+json');
  }
}
