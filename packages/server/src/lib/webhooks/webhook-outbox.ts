import type { WebhookEventType } from '@inlay/protocol';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { describeError } from '../log/logger.ts';
import type { Schema } from '../store/schema.ts';
import type { Workload } from '../workers/worker.ts';
import { insertDeliveries, type NewDelivery, newDelivery } from './new-deliveries.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';
import type { WebhookServices } from './webhook-endpoints.ts';

/** An event for webhook endpoints. */
export interface WebhookDraft {
  readonly type: WebhookEventType;
  readonly agentId: string;
  /** Null for an event that must not name the user. */
  readonly externalUserId: string | null;
  /** The session that the event belongs to, and its place in the order of the session's events. */
  readonly session?: { readonly id: string; readonly position: number };
  /** Further members of `data`: ids and fixed values, no texts. */
  readonly data?: Readonly<Record<string, string>>;
}

/** An endpoint, as far as the writers of events need it. */
interface KnownEndpoint {
  readonly id: string;
  readonly isDisabled: boolean;
  readonly types: ReadonlySet<string>;
}

/**
 * Writes events for webhook endpoints in the transactions that the events report, and delivers them from
 * this process. The endpoints are kept in memory, so that an event costs nothing if no endpoint
 * receives it. A change reaches the other processes by the bus, or with their next heartbeat.
 */
export class WebhookOutbox implements Workload {
  readonly #services: WebhookServices;
  readonly #cleanups: (() => void)[];
  #endpoints: readonly KnownEndpoint[] = [];
  #revision = 0;
  /** Loaded with the first endpoint, because most installations have none. */
  #deliveries: Promise<WebhookDeliveries> | null = null;
  #isClosed = false;

  private constructor(services: WebhookServices) {
    this.#services = services;
    this.#cleanups = [
      services.worker.add(this),
      services.bus.subscribe((message) => {
        if (message.kind === 'webhooks_changed') this.wake();
      }),
    ];
  }

  /** Reads the endpoints, and starts to deliver. */
  static async start(services: WebhookServices): Promise<WebhookOutbox> {
    const outbox = new WebhookOutbox(services);
    await outbox.#load();
    return outbox;
  }

  /**
   * Writes deliveries of events in a transaction.
   *
   * @param drafts Called if there are endpoints.
   * @returns Ids of the endpoints that have deliveries, for `deliver` after the commit. Without that
   *   call, they are delivered after the next heartbeat.
   */
  async record(
    db: Kysely<Schema>,
    drafts: () => readonly WebhookDraft[],
  ): Promise<readonly string[]> {
    if (this.#endpoints.length === 0) return [];
    const rows = drafts().flatMap((draft) =>
      this.#endpoints
        .filter(({ types }) => types.has(draft.type))
        .map((endpoint) => this.#toRow(draft, endpoint)),
    );
    if (rows.length === 0) return [];
    await insertDeliveries(db, rows);
    return rows.filter((row) => row.status === 'queued').map((row) => row.endpoint_id);
  }

  /** Starts the deliveries to endpoints. */
  deliver(endpointIds: readonly string[]): void {
    if (endpointIds.length === 0) return;
    void this.#deliveries?.then((deliveries) => deliveries.wake(new Set(endpointIds)));
  }

  /** Loads the endpoints after a change, and notifies the other processes. */
  async publishChange(): Promise<void> {
    await this.#load();
    await this.#services.bus.publish({ kind: 'webhooks_changed' });
  }

  isQueued(): RawBuilder<SqlBool> {
    return sql<SqlBool>`coalesce((select max(revision) from webhook_changes), 0) <> ${this.#revision}`;
  }

  wake(): void {
    this.#load().catch((error: unknown) =>
      this.#services.log.error('webhook endpoints not loaded', describeError(error)),
    );
  }

  check(): void {}

  abandon(): void {}

  /** Number of deliveries that no process performs at present. */
  async waiting(): Promise<number> {
    const row = await this.#services.store.db
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('worker', 'is', null)
      .where('run_after', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  /** Resolves when this process delivers nothing, or when `signal` is aborted. */
  async settled(signal: AbortSignal): Promise<void> {
    await (await this.#deliveries)?.settled(signal);
  }

  /** Stops deliveries. Other processes, or this one after a restart, start them again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cleanup of this.#cleanups) cleanup();
    await (await this.#deliveries)?.close();
  }

  async #load(): Promise<void> {
    const { db } = this.#services.store;
    // Read before the endpoints, so that a change between the two queries is found again.
    const changes = await db
      .selectFrom('webhook_changes')
      .select(({ fn }) => fn.max('revision').as('revision'))
      .executeTakeFirst();
    const rows = await db
      .selectFrom('webhook_endpoints')
      .select(['id', 'events', 'disabled_at'])
      .orderBy('id')
      .execute();
    const revision = Number(changes?.revision ?? 0);
    if (this.#isClosed || revision < this.#revision) return;
    this.#revision = revision;
    this.#endpoints = rows.map((row) => ({
      id: row.id,
      isDisabled: row.disabled_at !== null,
      types: new Set(JSON.parse(row.events) as string[]),
    }));
    if (rows.length === 0 && this.#deliveries === null) return;
    this.#deliveries ??= import('./webhook-deliveries.ts').then(
      ({ WebhookDeliveries }) => new WebhookDeliveries(this.#services, () => this.publishChange()),
    );
    const deliveries = await this.#deliveries;
    if (!this.#isClosed) deliveries.setEndpoints(this.#endpoints.map(({ id }) => id));
  }

  #toRow(draft: WebhookDraft, { id: endpointId, isDisabled }: KnownEndpoint): NewDelivery {
    const { agentId, externalUserId, session } = draft;
    const data = {
      agent_id: agentId,
      ...(externalUserId !== null && { external_user_id: externalUserId }),
      ...(session && { session_id: session.id }),
      ...draft.data,
    };
    const row = {
      event_type: draft.type,
      agent_id: agentId,
      external_user_id: externalUserId,
      session_id: session?.id ?? null,
      data: JSON.stringify(data),
      position: session?.position ?? 0,
    };
    return newDelivery(this.#services, { endpointId, isDisabled }, row);
  }
}
