import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { describeError } from '../log/logger.ts';
import { newId } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema } from '../store/schema.ts';
import { outsideSpans } from '../telemetry/traces.ts';
import { BackgroundWork } from './background-work.ts';
import type { JobTable, Worker, Workload } from './worker.ts';

/** Milliseconds until a job that failed is tried again. */
const retryDelay = 10_000;
/** Milliseconds until a postponed job is tried again. */
const postponement = 5_000;

/** Thrown by a job that cannot be performed yet. */
export class JobPostponedError extends Error {
  override readonly name = 'JobPostponedError';
}

/** A row that this process has taken. */
export interface Job<Table extends JobTable> {
  readonly row: Selectable<Schema[Table]>;
  /** New for each process that takes the row, so that a former one cannot write. */
  readonly leaseId: string;
  /** Aborted when the process stops, or another one may have taken the row. */
  readonly signal: AbortSignal;
}

interface JobQueueOptions<Table extends JobTable> {
  readonly table: Table;
  /** The column that identifies a row. */
  readonly key: string & keyof Selectable<Schema[Table]>;
  /** The `status` of a row in the queue. That of a job in progress is `in_progress`. */
  readonly queuedStatus: Schema[Table]['status'];
  /** Maximum jobs in progress in this process. */
  readonly maximum: number;
  /**
   * Performs a job, and sets `run_after` of its row to null. If it rejects, the job is performed
   * again after 10 seconds. The attempt does not count if `signal` is aborted (then the job is performed
   * again immediately), or for a `JobPostponedError` (then after 5 seconds).
   */
  readonly perform: (job: Job<Table>) => Promise<void>;
  /** SQL condition of the rows of this queue, if others have queues of the same table. By default all. */
  readonly subset?: RawBuilder<SqlBool>;
  /** SQL condition of the rows that can be performed now. By default all that are due. */
  readonly isReady?: RawBuilder<SqlBool>;
  /**
   * Column by which rows are taken.
   *
   * @default 'created_at'
   */
  readonly order?: 'created_at' | 'run_after';
}

const always = sql<SqlBool>`1 = 1`;

type JobServices = Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'log'> & {
  readonly worker: Worker;
};

/**
 * Performs the rows of a table, by default oldest first, each in one process at a time. A row belongs to the
 * process in its column `worker`, until the job has ended or the process stops or dies.
 */
export class JobQueue<Table extends JobTable> implements Workload {
  readonly #services: JobServices;
  readonly #options: JobQueueOptions<Table>;
  readonly #leaveWorker: () => void;
  /** The jobs in progress, and those that this process tries to take, by the id of their lease. */
  readonly #jobs = new Map<string, { key: string | null; stop: AbortController }>();
  readonly #work: BackgroundWork;
  /** Whether the table may name this process for a job that it does not know. */
  #mayHaveUnknown = false;
  #isClosed = false;

  constructor(services: JobServices, options: JobQueueOptions<Table>) {
    this.#services = services;
    this.#options = options;
    this.#work = new BackgroundWork(services, `jobs of ${options.table} not performed`);
    this.#leaveWorker = services.worker.add(this);
    this.wake();
  }

  /** Starts queued jobs, outside of the caller's span, because they may be those of other callers. */
  wake(): void {
    this.#work.add(outsideSpans(() => this.#startQueued()));
  }

  /** Stops a job that was cancelled or deleted, if this process performs it. */
  stop(key: string): void {
    for (const job of this.#jobs.values()) if (job.key === key) job.stop.abort();
  }

  isQueued(): RawBuilder<SqlBool> {
    return sql<SqlBool>`exists (
      select 1 from ${sql.table(this.#table)}
      where worker is null and run_after <= ${this.#services.clock.now()} and ${this.#subset}
    )`;
  }

  check(): void {
    if (this.#jobs.size > 0 || this.#mayHaveUnknown) this.#work.add(this.#compareWithTable());
  }

  abandon(): void {
    for (const { stop } of this.#jobs.values()) stop.abort();
  }

  /** Resolves when no job is in progress in this process, or when `signal` is aborted. */
  settled(signal: AbortSignal): Promise<void> {
    return this.#work.settled(signal);
  }

  /** Stops all jobs. Other processes, or this one after a restart, start them again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leaveWorker();
    this.abandon();
    await this.#work.settled();
  }

  async #startQueued(): Promise<void> {
    const { worker } = this.#services;
    while (!this.#isClosed && worker.takesWork && this.#jobs.size < this.#options.maximum) {
      const leaseId = newId(this.#services.random, 'lease_');
      const job = { key: null as string | null, stop: new AbortController() };
      this.#jobs.set(leaseId, job);
      const row = await this.#take(leaseId).catch((error: unknown) => {
        this.#jobs.delete(leaseId);
        this.#mayHaveUnknown = true;
        throw error;
      });
      if (!row) {
        this.#jobs.delete(leaseId);
        return;
      }
      job.key = String(row[this.#options.key]);
      if (this.#isClosed) job.stop.abort();
      this.#work.add(this.#perform({ row, leaseId, signal: job.stop.signal }));
    }
  }

  async #perform(job: Job<Table>): Promise<void> {
    try {
      await this.#options.perform(job);
    } catch (error) {
      const isStopped = job.signal.aborted;
      const isPostponed = error instanceof JobPostponedError;
      if (!isStopped && !isPostponed) {
        const { table, key } = this.#options;
        const id = String(job.row[key]);
        this.#services.log.warn('job failed', { table, id, ...describeError(error) });
      }
      const attempts = isStopped || isPostponed ? -1 : 0;
      const delay = isPostponed ? postponement : retryDelay;
      await this.#requeue(job.leaseId, { attempts, delay: isStopped ? 0 : delay });
    } finally {
      this.#jobs.delete(job.leaseId);
      this.wake();
    }
  }

  async #take(leaseId: string): Promise<Selectable<Schema[Table]> | undefined> {
    const { store, clock, worker } = this.#services;
    const key = sql.ref<string>(`${this.#table}.${this.#options.key}`);
    const next = store.db
      .selectFrom(this.#table)
      // A process that counts as dead takes no jobs.
      .innerJoin('workers', (join) => join.on('workers.id', '=', worker.id))
      .select(key.as('key'))
      .where('worker', 'is', null)
      .where('run_after', '<=', clock.now())
      .where(this.#subset)
      .where(this.#options.isReady ?? always)
      .orderBy(this.#options.order ?? 'created_at')
      .limit(1)
      .forUpdate(this.#table)
      .skipLocked()
      .forKeyShare('workers');
    const row = await store.db
      .updateTable(this.#table)
      .set((eb) => ({
        status: 'in_progress' as const,
        worker: worker.id,
        lease_id: leaseId,
        attempt: eb('attempt', '+', 1),
      }))
      .where(key, '=', next)
      .returningAll()
      .executeTakeFirst();
    return row as Selectable<Schema[Table]> | undefined;
  }

  async #requeue(leaseId: string, { attempts, delay }: { attempts: number; delay: number }) {
    const { store, clock, worker } = this.#services;
    await store.db
      .updateTable(this.#table)
      .set((eb) => ({
        status: this.#options.queuedStatus as 'in_progress',
        worker: null,
        run_after: delay === 0 ? 0 : clock.now() + delay,
        attempt: eb('attempt', '+', attempts),
      }))
      .where('lease_id', '=', leaseId)
      .where('worker', '=', worker.id)
      .where('run_after', 'is not', null)
      .execute()
      .catch((error: unknown) => {
        this.#mayHaveUnknown = true;
        throw error;
      });
  }

  /**
   * Stops jobs whose rows were cancelled or deleted by another process, and queues rows again whose
   * job this process does not know, because a connection was lost while it took or returned them.
   */
  async #compareWithTable(): Promise<void> {
    const { store, worker } = this.#services;
    const known = [...this.#jobs];
    const rows = await store.db
      .selectFrom(this.#table)
      .select('lease_id')
      .where('worker', '=', worker.id)
      .where(this.#subset)
      .execute();
    const ids = new Set(rows.map((row) => row.lease_id));
    for (const [id, { key, stop }] of known) if (key !== null && !ids.has(id)) stop.abort();
    for (const id of ids) {
      if (id !== null && !this.#jobs.has(id)) await this.#requeue(id, { attempts: 0, delay: 0 });
    }
    this.#mayHaveUnknown = false;
  }

  get #subset() {
    return this.#options.subset ?? always;
  }

  /** The table as one of its possible names: the others have the same columns for jobs. */
  get #table() {
    return this.#options.table as 'vector_store_files';
  }
}
