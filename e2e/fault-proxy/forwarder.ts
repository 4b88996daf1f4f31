import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type Clock, sleep } from './clock.ts';
import type { CutKind } from './fault.ts';
import type { Plan } from './plan.ts';

export interface ForwarderOptions {
  plan: Plan;
  clock: Clock;
  /** Aborted when the connection is cut. */
  signal: AbortSignal;
  /** Socket to write to. */
  target(): Socket;
  onCut(how: CutKind): void;
}

/** One direction of an exchange. Forwards the bytes of a message with the faults applied. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  #forwarded = 0;
  #headLength = 0;
  #buffered: Buffer[] = [];
  #bufferedBodyBytes = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  async forward(received: Buffer, part: 'head' | 'body'): Promise<void> {
    const { buffer, isDropped, strippedHeaders } = this.#options.plan;
    const bytes = part === 'head' ? withoutHeaders(received, strippedHeaders) : received;
    if (part === 'head') this.#headLength += bytes.length;
    if (isDropped) return;
    if (!buffer || (part === 'head' && !buffer.head)) return this.#send(bytes);
    this.#buffered.push(bytes);
    if (part === 'body') this.#bufferedBodyBytes += bytes.length;
    if (this.#bufferedBodyBytes >= (buffer.bytes ?? Number.POSITIVE_INFINITY)) await this.flush();
  }

  async flush(): Promise<void> {
    const buffered = Buffer.concat(this.#buffered.splice(0));
    this.#bufferedBodyBytes = 0;
    if (buffered.length > 0) await this.#send(buffered);
  }

  async #send(bytes: Buffer): Promise<void> {
    const { plan, clock, signal } = this.#options;
    await plan.turn;
    if (plan.delay > 0) await sleep(clock, plan.delay, signal);
    const remaining = this.#remaining();
    await this.#write(bytes.subarray(0, remaining));
    if (bytes.length < remaining || signal.aborted || !plan.cut) return;
    plan.cut.onEffect();
    this.#options.onCut(plan.cut.fault.how ?? 'half-open');
  }

  /** Number of bytes that may still pass. */
  #remaining(): number {
    const fault = this.#options.plan.cut?.fault;
    if (!fault) return Number.POSITIVE_INFINITY;
    const start = fault.from === 'body' ? this.#headLength : 0;
    return start + (fault.after ?? 0) - this.#forwarded;
  }

  async #write(bytes: Buffer): Promise<void> {
    const { plan, clock, signal } = this.#options;
    const { split, bytesPerSecond } = plan;
    const size = split ?? (bytesPerSecond ? Math.ceil(bytesPerSecond / 20) : bytes.length);
    for (let offset = 0; offset < bytes.length && !signal.aborted; offset += size) {
      const chunk = bytes.subarray(offset, offset + size);
      if (bytesPerSecond) await sleep(clock, (chunk.length / bytesPerSecond) * 1000, signal);
      if (signal.aborted) return;
      this.#forwarded += chunk.length;
      await write(this.#options.target(), chunk);
      // An event loop turn between two writes keeps them in separate packets.
      if (split) await setImmediate();
    }
  }
}

function withoutHeaders(head: Buffer, prefixes: readonly string[]): Buffer {
  if (prefixes.length === 0) return head;
  const lines = head.toString('latin1').split('\r\n');
  const isKept = (line: string) =>
    !prefixes.some((prefix) => line.toLowerCase().startsWith(prefix));
  return Buffer.from(lines.filter(isKept).join('\r\n'), 'latin1');
}

/** Writes bytes. Resolves when they were flushed or the socket is closed. */
export function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (!socket.writable) return Promise.resolve();
  return new Promise((resolve) => {
    socket.write(bytes, () => resolve());
  });
}
