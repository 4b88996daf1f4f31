import { InterruptedNetwork, InterruptedResponse } from './interrupted-network.ts';
import { type RecordedInput, recording, type Step } from './recording.ts';
import { ServerLog } from './server-log.ts';

const { steps, greeting, created, configs, sessionId } = recording;

export interface ReplayOptions {
  readonly network?: InterruptedNetwork;
  /** Number of frames that the platform sends while a client is disconnected. */
  readonly missedFrames?: number;
}

/**
 * Replays the recorded platform. It continues when the user repeats a recorded action, processes each
 * request once, and resumes streams as the real server does.
 */
export class ReplayPlatform {
  /** Errors of the client. */
  readonly failures: string[] = [];
  /** The text of each stream. */
  readonly streams: string[] = [];
  readonly #network: InterruptedNetwork;
  readonly #missedFrames: number;
  readonly #log = new ServerLog();
  /** Processed requests by idempotency key. */
  readonly #processed = new Map<string, { body: string; response: string }>();
  #stream: { connection: InterruptedResponse; token: number } | null = null;
  #nextStep = 0;
  #issuedTokens = 0;
  #expiredTokens = 0;
  /** Number of frames that were sent while the client was disconnected. */
  #missed = 0;

  constructor({ network = new InterruptedNetwork(), missedFrames = 0 }: ReplayOptions = {}) {
    this.#network = network;
    this.#missedFrames = missedFrames;
  }

  /** Whether all steps of the recording are replayed. */
  get isDone(): boolean {
    return this.#nextStep === steps.length;
  }

  /** Whether the next step is an action of the user. */
  get waitsForUser(): boolean {
    return steps[this.#nextStep]?.do === 'input';
  }

  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  /** The user's events in the log. */
  get userEvents(): RecordedInput[] {
    return this.#log.frames
      .map(({ event }) => event as RecordedInput)
      .filter(({ type }) => type.startsWith('user.'));
  }

  /** Issues a token that is valid until the corresponding token of the recording expires. */
  issueToken(): string {
    this.#issuedTokens += 1;
    return `et_${this.#expiredTokens}_${this.#issuedTokens}`;
  }

  fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const headers = new Headers(init.headers);
    const path = pathname.replace(/^\/agent\/v1/, '').replace(sessionId, '{id}');
    const route = `${init.method ?? 'GET'} ${path}`;
    const token = Number(/^Bearer et_(\d+)_/.exec(headers.get('authorization') ?? '')?.[1]);
    const body = String(init.body ?? '');
    const key = headers.get('idempotency-key') ?? '';
    const name = `${route} ${token} ${body}`;
    this.#network.send(`${name} request`);
    if (token !== this.#expiredTokens) return this.#problem(name, 401, 'EMBED_TOKEN_EXPIRED');
    switch (route) {
      case 'GET /embed/config':
        return this.#respond(name, configs[token] ?? '');
      case 'POST /sessions':
        if (this.#processInput(key, body) === null) return this.#problem(name, 409, 'CONFLICT');
        return this.#openStream(name, token, 0, created);
      case 'POST /sessions/{id}/events': {
        const response = this.#processInput(key, body);
        return response === null
          ? this.#problem(name, 409, 'CONFLICT')
          : this.#respond(name, response);
      }
      case 'GET /sessions/{id}/events/stream': {
        const after = Number.parseInt(headers.get('last-event-id') ?? '', 10);
        return this.#openStream(name, token, after, '');
      }
      default:
        this.failures.push(`unexpected request: ${route}`);
        return this.#problem(name, 404, 'NOT_FOUND');
    }
  };

  /**
   * Replays steps until the next action of the user, or until a step needs an open stream. Without a
   * stream, only the frames that the client is to miss are replayed.
   *
   * @returns Whether a step was replayed.
   */
  proceed(): boolean {
    const before = this.#nextStep;
    while (this.#canProceed()) this.#replay(steps[this.#nextStep]);
    return this.#nextStep > before;
  }

  #canProceed(): boolean {
    const step = steps[this.#nextStep];
    if (!step || step.do === 'input') return false;
    if (this.#stream && !this.#stream.connection.isOpen) this.#stream = null;
    if (this.#stream) return step.do !== 'resume' || this.#stream.token === this.#expiredTokens;
    // After an expiry, the recording has the frames that the client missed, up to `resume`.
    const last = steps.findLast(
      ({ do: kind }, index) => index < this.#nextStep && kind !== 'frame',
    );
    if (last?.do === 'expire') return step.do !== 'resume';
    this.#missed += 1;
    return this.#missed <= this.#missedFrames;
  }

  #replay(step: Step | undefined): void {
    const name = `step ${this.#nextStep}`;
    this.#nextStep += 1;
    if (step?.do === 'frame') {
      this.#log.append(step.frame);
      this.#write(name, step.frame.text);
    } else if (step?.do === 'expire') {
      this.#expiredTokens += 1;
      this.#write(name, step.text);
      this.#stream?.connection.end();
      this.#stream = null;
    }
  }

  #write(name: string, text: string): void {
    if (!this.#stream) return;
    this.#stream.connection.write(name, text);
    this.streams[this.streams.length - 1] += text;
  }

  #openStream(name: string, token: number, after: number, firstFrame: string): Response {
    this.#network.send(`${name} head`);
    this.#stream?.connection.end();
    const connection = new InterruptedResponse(this.#network, 'text/event-stream; charset=utf-8');
    this.#stream = { connection, token };
    this.streams.push('');
    const missed = this.#log.framesAfter(after).map(({ text }) => text);
    this.#write(`${name} body`, greeting + firstFrame + missed.join(''));
    return connection.response;
  }

  /**
   * Processes an event of the user once for each idempotency key.
   *
   * @returns The response; null if the request is not the recorded one, or repeats a key with another
   *   body.
   */
  #processInput(key: string, body: string): string | null {
    const earlier = this.#processed.get(key);
    if (earlier) return earlier.body === body ? earlier.response : null;
    const step = steps[this.#nextStep];
    if (step?.do !== 'input' || JSON.stringify(step.body) !== body) {
      this.failures.push(`repeated or unexpected input: ${body}`);
      return null;
    }
    this.#nextStep += 1;
    this.#processed.set(key, { body, response: step.response });
    return step.response;
  }

  /** Returns a complete response. */
  #respond(name: string, text: string, status = 200, type = 'application/json'): Response {
    this.#network.send(`${name} head`);
    const connection = new InterruptedResponse(this.#network, type, status);
    connection.write(`${name} body`, text);
    connection.end();
    return connection.response;
  }

  #problem(name: string, status: number, code: string): Response {
    const problem = { type: 'about:blank', title: code, status, code, detail: code };
    const text = JSON.stringify({ ...problem, retryable: false });
    return this.#respond(`${name} ${code}`, text, status, 'application/problem+json');
  }
}
