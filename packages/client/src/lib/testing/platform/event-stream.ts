import { idPrefix, type ProblemCode, problems } from '@inlay/protocol';
import type { Wire } from '../wire.ts';
import type { PlatformParts } from './platform-parts.ts';
import type { SessionReader } from './session.ts';
import { type Issuance, toIsoString } from './tokens.ts';

/** Time without data after which a comment is sent, in milliseconds. */
const heartbeat = 15_000;
/** Maximum lifetime of a stream in milliseconds. A stream ends after 80 to 100 % of it. */
const maxLifetime = 600_000;

const encoder = new TextEncoder();

/** An open stream of server-sent events. */
export class EventStream implements SessionReader {
  readonly deltas: ReadonlySet<string>;
  readonly #parts: PlatformParts;
  readonly #wire: Wire;
  #timer: unknown = null;

  constructor(
    parts: PlatformParts,
    options: {
      readonly issuance: Issuance;
      /** Aborted with the request. */
      readonly signal: AbortSignal;
      /** Event types whose fragments are streamed. */
      readonly deltas: readonly string[];
    },
  ) {
    this.#parts = parts;
    this.#wire = parts.network.openWire();
    this.deltas = new Set(options.deltas);
    const { clock, tokens, random } = parts;
    const unwatch = tokens.watch(options.issuance, (code) => this.endWithError(code));
    const lifetime = maxLifetime * (0.8 + 0.2 * random());
    const abort = () => this.#wire.abort(options.signal.reason);
    options.signal.addEventListener('abort', abort);
    const rotation = clock.setTimeout(() => this.end(), lifetime);
    this.#wire.onClose(() => {
      unwatch();
      options.signal.removeEventListener('abort', abort);
      clock.clearTimeout(rotation);
      clock.clearTimeout(this.#timer);
    });
    // Some proxies buffer the first 2 KiB of a response.
    this.#write(`: ${' '.repeat(2045)}\n\n`);
  }

  get response(): Response {
    const headers = {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    };
    return new Response(this.#wire.body, { headers });
  }

  event(event: { readonly type: string }, id?: string): void {
    const line = id === undefined ? '' : `id: ${id}\n`;
    this.#write(`event: ${event.type}\n${line}data: ${JSON.stringify(event)}\n\n`);
  }

  onClose(callback: () => void): void {
    this.#wire.onClose(callback);
  }

  end(): void {
    this.#wire.end();
  }

  /** Ends the stream because its token is no longer valid. The event has no SSE id: it is not logged. */
  endWithError(code: ProblemCode): void {
    const { clock, ids } = this.#parts;
    const retry_status = { type: 'terminal' };
    const error = { type: 'embed_token_error', code, message: problems[code].title, retry_status };
    const identity = { id: ids.next(idPrefix.event), processed_at: toIsoString(clock.now()) };
    const last = { type: 'session.error', ...identity, error };
    this.event(last);
    this.end();
  }

  #write(text: string): void {
    if (!this.#wire.isOpen) return;
    const { clock } = this.#parts;
    clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => this.#write(': \n\n'), heartbeat);
    this.#wire.write(encoder.encode(text));
  }
}
