import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { describeError } from '../log/logger.ts';
import { releaseDeadWorkers } from '../model-api/model-reservations.ts';
import { newId } from '../random.ts';
import { queueRunsOf } from '../runs/run-queue.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds between two heartbeats. */
const heartbeatInterval = 2_000;
/** Milliseconds after its last heartbeat until a process counts as dead: it may miss two of them. */
const heartbeatLifetime = 6_000;
/** Milliseconds without a response after which the database counts as not responding. */
const patience = 5_000;
/**
 * Milliseconds by which a heartbeat may be in the future. Later ones were written before the clock
 * of the database was set back.
 */
const clockTolerance = 60_000;

/** Tables whose rows are jobs; see `JobQueue`. */
export type JobTable =
  | 'blob_deletions'
  | 'chat_model_responses'
  | 'vector_store_files'
  | 'webhook_deliveries';
const jobTables: readonly JobTable[] = [
  'blob_deletions',
  'chat_model_responses',
  'vector_store_files',
  'webhook_deliveries',
];

/** Work that a process takes from the database. */
export interface Workload {
  /** SQL condition: there is queued work. */
  isQueued(): RawBuilder<SqlBool>;
  /** Starts queued work. Called when there is some. */
  wake(): void;
  /** Called after each heartbeat. */
  check(): void;
  /** Called if this process counted as dead for a time: other processes have taken over its work. */
  abandon(): void;
}

/**
 * This process, as the owner of runs, background responses, files to index or delete, and webhook deliveries. A heartbeat shows the
 * other processes that it is alive. When it stops, they take over its work. The heartbeat has its own
 * connections, so that slow queries do not delay it, and the clock of the database, so that processes
 * whose clocks differ agree.
 */
export class Worker {
  readonly id: string;
  readonly #services: Pick<ServiceOptions, 'store' | 'clock' | 'log'>;
  readonly #workloads = new Set<Workload>();
  /** Time of this process until which no other process counts it as dead. */
  #aliveUntil = 0;
  /** Whether the database responded to the last heartbeat, and within `patience`. */
  #isResponding = true;
  #takesWork = true;
  #beat: Promise<void> = Promise.resolve();
  #cancel = () => {};
  #closing: Promise<void> | undefined;

  private constructor(services: Pick<ServiceOptions, 'store' | 'clock' | 'log' | 'random'>) {
    this.#services = services;
    this.id = newId(services.random, 'proc_');
  }

  /** Registers this process, and starts its heartbeat. */
  static async start(
    services: Pick<ServiceOptions, 'store' | 'clock' | 'log' | 'random'>,
  ): Promise<Worker> {
    const worker = new Worker(services);
    await worker.#register();
    await worker.#releaseDead();
    worker.#schedule();
    return worker;
  }

  /** False if another process may have taken over the work of this one. */
  isAlive(): boolean {
    return this.#services.clock.now() < this.#aliveUntil;
  }

  /** Whether this process takes queued work. */
  get takesWork(): boolean {
    return this.#takesWork;
  }

  /** Leaves queued work to other processes, because this one is about to stop. */
  leaveQueuedWork(): void {
    this.#takesWork = false;
  }

  /** Whether this is the process that performs the work of which one process of all is enough. */
  async isFirst(): Promise<boolean> {
    const first = await this.#services.store.db
      .selectFrom('workers')
      .select('id')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return first?.id === this.id;
  }

  /**
   * Whether the database responds, for health checks: they send no queries themselves, because everyone
   * may send as many as they like.
   */
  get isResponding(): boolean {
    return this.#isResponding;
  }

  /** Calls the workload after each heartbeat. Returns a function that ends this. */
  add(workload: Workload): () => void {
    this.#workloads.add(workload);
    return () => this.#workloads.delete(workload);
  }

  /** Ends the heartbeat. Other processes immediately take over the work that is left. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#cancel();
    await this.#beat;
    const { store, log } = this.#services;
    await store.priority
      .transaction((tx) => release(tx, this.id))
      // The others notice the missing heartbeat.
      .catch((error: unknown) => log.error('work not handed over', describeError(error)));
  }

  #schedule(): void {
    this.#cancel = this.#services.clock.after(heartbeatInterval, () => {
      const cancelPatience = this.#services.clock.after(patience, () => this.#setResponding(false));
      this.#beat = this.#heartbeat()
        .then(
          () => this.#setResponding(true),
          (error: unknown) => this.#setResponding(false, error),
        )
        .finally(() => {
          cancelPatience();
          if (this.#closing !== undefined) return;
          this.#schedule();
          for (const workload of this.#workloads) workload.check();
          void this.#wakeQueued();
        });
    });
  }

  #setResponding(isResponding: boolean, error?: unknown): void {
    if (this.#closing !== undefined || isResponding === this.#isResponding) return;
    this.#isResponding = isResponding;
    const { log } = this.#services;
    if (isResponding) log.info('the store responds again', {});
    else log.error('the store does not respond', error === undefined ? {} : describeError(error));
  }

  async #heartbeat(): Promise<void> {
    const { store, clock } = this.#services;
    const aliveUntil = clock.now() + heartbeatLifetime;
    const updated = await store.priority.db
      .updateTable('workers')
      .set({ heartbeat_at: store.now() })
      .where('id', '=', this.id)
      .returning(({ exists, selectFrom }) =>
        exists(
          selectFrom('workers as other').select('other.id').where(isWorkerDead(store, 'other')),
        )
          .$castTo<boolean | number>()
          .as('has_dead'),
      )
      .executeTakeFirst();
    if (!updated) {
      for (const workload of this.#workloads) workload.abandon();
      await this.#register();
    } else {
      this.#aliveUntil = aliveUntil;
    }
    if (!updated || updated.has_dead) await this.#releaseDead();
  }

  /** Wakes the workloads with queued work, with one query for all of them. */
  async #wakeQueued(): Promise<void> {
    const workloads = [...this.#workloads];
    if (workloads.length === 0) return;
    try {
      const columns = workloads.map(
        (workload, index) => sql`${workload.isQueued()} as ${sql.id(`queue_${index}`)}`,
      );
      const { rows } = await sql<Record<string, boolean | number>>`
        select ${sql.join(columns)}`.execute(this.#services.store.db);
      workloads.forEach((workload, index) => {
        if (rows[0]?.[`queue_${index}`]) workload.wake();
      });
    } catch (error) {
      this.#services.log.error('queues not searched for work', describeError(error));
    }
  }

  async #register(): Promise<void> {
    const { store, clock } = this.#services;
    const aliveUntil = clock.now() + heartbeatLifetime;
    await store.priority.db
      .insertInto('workers')
      .values({ id: this.id, heartbeat_at: store.now() })
      .execute();
    this.#aliveUntil = aliveUntil;
  }

  /** Queues the work of dead processes again. */
  async #releaseDead(): Promise<void> {
    const { store } = this.#services;
    const dead = await store.priority.db
      .selectFrom('workers')
      .select('id')
      .where('id', '<>', this.id)
      .where(isWorkerDead(store))
      .execute();
    for (const { id } of dead) {
      await store.priority.transaction(async (transaction) => {
        const locked = await transaction
          .selectFrom('workers')
          .select('id')
          .where('id', '=', id)
          .where(isWorkerDead(store))
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        if (locked) await release(transaction, id);
      });
    }
  }
}

function isWorkerDead(store: Store, table = 'workers'): RawBuilder<SqlBool> {
  const now = sql`cast(${store.now()} as bigint)`;
  return sql<SqlBool>`${sql.ref(`${table}.heartbeat_at`)} not between
    ${now} - ${sql.lit(heartbeatLifetime)} + 1 and ${now} + ${sql.lit(clockTolerance)}`;
}

/** Deletes a process, queues its work again, and releases what it reserved. */
async function release(transaction: Transaction<Schema>, id: string): Promise<void> {
  await transaction.deleteFrom('workers').where('id', '=', id).execute();
  await queueRunsOf(transaction, id);
  for (const table of jobTables) {
    await transaction.updateTable(table).set({ worker: null }).where('worker', '=', id).execute();
  }
  await releaseDeadWorkers(transaction);
}
