import { type Selectable, type SqlBool, sql } from 'kysely';
import { dayMs } from '../clock.ts';
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from '../store/schema.ts';
import { type Job, JobQueue } from '../workers/job-queue.ts';
import { sendWebhook, type WebhookOutcome } from './send-webhook.ts';
import { webhookBody } from './webhook-body.ts';
import { changeEndpoints, type WebhookServices } from './webhook-endpoints.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** Milliseconds after each failed attempt, except the last, until the next one. */
const retryDelays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
/** Longest time for which `Retry-After` postpones an attempt. */
const maximumRetryAfter = dayMs;
/** Milliseconds of failures without a success after which an endpoint is disabled. */
const failingLimit = 5 * dayMs;
/** Maximum attempts in progress of this process at one endpoint, so that none delays the others. */
const maximumPerEndpoint = 8;

type Row = Selectable<WebhookDeliveriesTable>;
type Endpoint = Selectable<WebhookEndpointsTable>;
type Queue = JobQueue<'webhook_deliveries'>;

/** Whether the events of a session that were recorded earlier for the same endpoint are delivered. */
const isFirstOfLane = sql<SqlBool>`(webhook_deliveries.lane is null or not exists (
  select 1 from webhook_deliveries as earlier
  where earlier.lane = webhook_deliveries.lane
    and (earlier.position, earlier.created_at, earlier.id)
      < (webhook_deliveries.position, webhook_deliveries.created_at, webhook_deliveries.id)
))`;

/**
 * Delivers events to webhook endpoints. Each endpoint has a queue, so that one that responds slowly does
 * not delay the others. The events of a session are delivered in their order: later ones wait while one
 * is tried again.
 */
export class WebhookDeliveries {
  readonly #services: WebhookServices;
  readonly #publishChange: () => Promise<void>;
  readonly #queues = new Map<string, Queue>();

  /** @param publishChange Called after an endpoint was disabled. */
  constructor(services: WebhookServices, publishChange: () => Promise<void>) {
    this.#services = services;
    this.#publishChange = publishChange;
  }

  /** Delivers to these endpoints, and to no others. */
  setEndpoints(ids: readonly string[]): void {
    for (const [id, queue] of this.#queues) {
      if (ids.includes(id)) continue;
      this.#queues.delete(id);
      void queue.close();
    }
    for (const id of ids) {
      if (this.#queues.has(id)) continue;
      const queue = new JobQueue(this.#services, {
        table: 'webhook_deliveries',
        key: 'id',
        queuedStatus: 'queued',
        maximum: maximumPerEndpoint,
        subset: sql<SqlBool>`endpoint_id = ${id}`,
        isReady: isFirstOfLane,
        order: 'run_after',
        perform: (job) => this.#perform(job),
      });
      this.#queues.set(id, queue);
    }
  }

  /** Starts the due deliveries of endpoints. */
  wake(endpointIds: ReadonlySet<string>): void {
    for (const id of endpointIds) this.#queues.get(id)?.wake();
  }

  async settled(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.settled(signal)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  async #perform({ row, leaseId, signal }: Job<'webhook_deliveries'>): Promise<void> {
    const { store, clock } = this.#services;
    const endpoint = await store.db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', row.endpoint_id)
      .executeTakeFirst();
    const body = endpoint && (await webhookBody(store.db, row, endpoint));
    if (!endpoint || body == null) {
      await store.db
        .deleteFrom('webhook_deliveries')
        .where('id', '=', row.id)
        .where('lease_id', '=', leaseId)
        .execute();
      return;
    }
    if (endpoint.disabled_at !== null) {
      const skipped = { error: 'the endpoint is disabled', attempt: Number(row.attempt) - 1 };
      return this.#end(row, leaseId, 'skipped', skipped);
    }
    const outcome = await sendWebhook(this.#services, {
      url: endpoint.url,
      id: row.id,
      secrets: secretsOf(endpoint, clock.now()),
      body,
      signal,
    });
    if (outcome.error === null) return this.#succeed(row, leaseId, endpoint, outcome);
    await this.#fail(row, leaseId, endpoint, outcome);
  }

  async #succeed(row: Row, leaseId: string, endpoint: Endpoint, outcome: WebhookOutcome) {
    if (endpoint.failing_since !== null) {
      await this.#services.store.db
        .updateTable('webhook_endpoints')
        .set({ failing_since: null })
        .where('id', '=', endpoint.id)
        .execute();
    }
    await this.#end(row, leaseId, 'delivered', this.#resultOf(outcome));
  }

  async #fail(row: Row, leaseId: string, endpoint: Endpoint, outcome: WebhookOutcome) {
    const { store, clock, random, log, metrics } = this.#services;
    const now = clock.now();
    const failingSince = Number(endpoint.failing_since ?? now);
    if (endpoint.failing_since === null) {
      await store.db
        .updateTable('webhook_endpoints')
        .set({ failing_since: now })
        .where('id', '=', endpoint.id)
        .where('failing_since', 'is', null)
        .execute();
    }
    const isGone = outcome.response?.status === 410;
    if (isGone || now - failingSince >= failingLimit) {
      const reason = isGone ? 'gone' : 'failing';
      await changeEndpoints(this.#services, (db) =>
        db
          .updateTable('webhook_endpoints')
          .set({ disabled_at: now, disabled_reason: reason, updated_at: now })
          .where('id', '=', endpoint.id)
          .where('disabled_at', 'is', null)
          .execute(),
      );
      log.warn('webhook endpoint disabled', { endpoint: endpoint.id, reason });
      await this.#end(row, leaseId, 'failed', this.#resultOf(outcome));
      return this.#publishChange();
    }
    const delay = retryDelays[Number(row.attempt) - 1];
    if (delay === undefined) return this.#end(row, leaseId, 'failed', this.#resultOf(outcome));
    // Up to a tenth more, so that the deliveries of an outage are not repeated at the same moment.
    const jitter = 1 + (random.bytes(1)[0] ?? 0) / 2550;
    const asked = Math.min(outcome.retryAfter ?? 0, maximumRetryAfter);
    const runAfter = now + Math.round(Math.max(delay, asked) * jitter);
    if (row.lane !== null) {
      // Later events of the session wait as long; otherwise, each search of the queue would read them.
      await store.db
        .updateTable('webhook_deliveries')
        .set({ run_after: runAfter })
        .where('lane', '=', row.lane)
        .where('run_after', '<', runAfter)
        .where('worker', 'is', null)
        .execute();
    }
    await this.#write(row, leaseId, {
      ...this.#resultOf(outcome),
      status: 'queued',
      worker: null,
      run_after: runAfter,
    });
    metrics?.countWebhook('retried');
  }

  #resultOf({ error, response }: WebhookOutcome) {
    return {
      error,
      response_status: response?.status ?? null,
      response_body: response?.body ?? null,
      last_attempt_at: this.#services.clock.now(),
    };
  }

  async #end(
    row: Row,
    leaseId: string,
    status: 'delivered' | 'failed' | 'skipped',
    result: Partial<Row>,
  ): Promise<void> {
    const ended = { worker: null, lease_id: null, run_after: null, lane: null };
    await this.#write(row, leaseId, { ...result, ...ended, status });
    this.#services.metrics?.countWebhook(status);
  }

  /** Changes the row, unless another process has taken it over, or it was deleted. */
  async #write(row: Row, leaseId: string, values: Partial<Row>): Promise<void> {
    await this.#services.store.db
      .updateTable('webhook_deliveries')
      .set(values)
      .where('id', '=', row.id)
      .where('lease_id', '=', leaseId)
      .execute();
  }
}

function secretsOf(endpoint: Endpoint, now: number): string[] {
  const { secret, previous_secret: previous, previous_secret_ends_at: end } = endpoint;
  return previous !== null && Number(end) > now ? [secret, previous] : [secret];
}
