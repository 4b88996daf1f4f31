import { idPrefix, type ProblemCode, problems } from '@inlay/protocol';
import type { Wire } from '../wire.ts';
import type { PlatformParts } from './parts.ts';
import type { SessionReader } from './session.ts';
import { type Issuance, iso } from './tokens.ts';

/** Milliseconds of silence after which a comment is sent. */
const heartbeat = 15_000;
/** A stream is ended for its client to come back after a share of this, between 0.8 and 1. */
const longestStream = 600_000;

const encoder = new TextEncoder();

/** One open stream of server-sent events, as the platform writes them. */
export class EventStream implements SessionReader {
  readonly deltas: ReadonlySet<string>;
  readonly #parts: PlatformParts;
  readonly #wire: Wire;
  #timer: unknown = null;

  constructor(
    parts: PlatformParts,
    options: {
      readonly issuance: Issuance;
      /** Aborted when the page gives the request up. */
      readonly signal: AbortSignal;
      /** Types whose fragments it sends. */
      readonly deltas: readonly string[];
    },
  ) {
    this.#parts = parts;
    this.#wire = parts.network.openWire();
    this.deltas = new Set(options.deltas);
    const { clock, tokens, random } = parts;
    const unwatch = tokens.watch(options.issuance, (code) => this.refuse(code));
    const life = longestStream * (0.8 + 0.2 * random());
    const giveUp = () => this.#wire.abort(options.signal.reason);
    options.signal.addEventListener('abort', giveUp);
    const rotation = clock.setTimeout(() => this.end(), life);
    this.#wire.onClose(() => {
      unwatch();
      options.signal.removeEventListener('abort', giveUp);
      clock.clearTimeout(rotation);
      clock.clearTimeout(this.#timer);
    });
    // As long as real ones: proxies that gather a couple of KiB before they pass anything on get them.
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

  /** Ends it because its token did. It belongs to this connection, and so bears no id. */
  refuse(code: ProblemCode): void {
    const { clock, ids } = this.#parts;
    const retry_status = { type: 'terminal' };
    const error = { type: 'embed_token_error', code, message: problems[code].title, retry_status };
    const identity = { id: ids.next(idPrefix.event), processed_at: iso(clock.now()) };
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
