import type { Transaction } from 'kysely';
import { parseExact, stringifyExact } from '../exact-json.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema } from '../store/schema.ts';

/** An event of a stream, without its `sequence_number`. */
export type ResponseEvent = Readonly<Record<string, unknown>>;

/** Milliseconds between two searches for events that another process has stored. */
const pollInterval = 250;

/** Statuses of background responses that have not ended. */
const openStatuses: readonly string[] = ['queued', 'in_progress'];

/**
 * The events of background responses that were created with `stream: true`. They are stored, so that every
 * process can send them, also after a caller has reconnected. A row contains the events of one write.
 */
export class ResponseEvents {
  readonly #services: Pick<ServiceOptions, 'store' | 'clock'>;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(services: Pick<ServiceOptions, 'store' | 'clock'>) {
    this.#services = services;
  }

  /** Appends events with the next sequence numbers. Call `notify` after the transaction. */
  async append(
    transaction: Transaction<Schema>,
    id: string,
    events: readonly ResponseEvent[],
  ): Promise<void> {
    if (events.length === 0) return;
    const { last } = await transaction
      .selectFrom('chat_model_response_events')
      .select(({ fn }) => fn.max('last_number').as('last'))
      .where('response_id', '=', id)
      .executeTakeFirstOrThrow();
    const first = last === null ? 0 : Number(last) + 1;
    const numbered = events.map((event, index) => ({ ...event, sequence_number: first + index }));
    await transaction
      .insertInto('chat_model_response_events')
      .values({
        response_id: id,
        last_number: first + events.length - 1,
        json: stringifyExact(numbered),
      })
      .execute();
  }

  /** Continues the streams of a response in this process. */
  notify(id: string): void {
    for (const wake of this.#waiting.get(id) ?? []) wake();
  }

  /** @throws ApiError `VALIDATION_ERROR` for a response that was created without `stream: true`. */
  async requireStream(id: string): Promise<void> {
    const row = await this.#services.store.db
      .selectFrom('chat_model_response_events')
      .select('last_number')
      .where('response_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (row) return;
    throw new ApiError(
      'VALIDATION_ERROR',
      'Only a response that was created with `background: true` and `stream: true` can be streamed.',
      { param: 'stream' },
    );
  }

  /**
   * Sends the events of a response as server-sent events, until the response has ended.
   *
   * @param after Sequence number of the last event that the caller has; -1 for none.
   */
  async *stream(id: string, after: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let last = after;
    let hasEnded = false;
    while (!signal.aborted) {
      const changed = this.#nextChange(id, signal);
      try {
        const batches = await this.#read(id, last);
        for (const { last_number, json } of batches) {
          const events = parseExact(json) as { type: string; sequence_number: number }[];
          const text = events
            .filter(({ sequence_number: number }) => number > last)
            .map((event) => `event: ${event.type}\ndata: ${stringifyExact(event)}\n\n`);
          last = Number(last_number);
          yield Buffer.from(text.join(''));
        }
        if (batches.length > 0) continue;
        // The last events may have been stored after the events were read.
        if (hasEnded) return;
        hasEnded = !(await this.#isOpen(id));
        if (!hasEnded) await changed.promise;
      } finally {
        changed.cancel();
      }
    }
  }

  #read(id: string, after: number) {
    return this.#services.store.db
      .selectFrom('chat_model_response_events')
      .select(['last_number', 'json'])
      .where('response_id', '=', id)
      .where('last_number', '>', after)
      .orderBy('last_number')
      .limit(100)
      .execute();
  }

  async #isOpen(id: string): Promise<boolean> {
    const row = await this.#services.store.db
      .selectFrom('chat_model_responses')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined && openStatuses.includes(row.status);
  }

  /** Resolves at the next `notify`, after the poll interval, or when the signal is aborted. */
  #nextChange(id: string, signal: AbortSignal): { promise: Promise<void>; cancel: () => void } {
    let wake = () => {};
    const promise = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(wake));
    signal.addEventListener('abort', wake);
    const stopTimer = this.#services.clock.after(pollInterval, wake);
    const cancel = () => {
      stopTimer();
      signal.removeEventListener('abort', wake);
      waiting.delete(wake);
      if (waiting.size === 0) this.#waiting.delete(id);
    };
    return { promise, cancel };
  }
}
