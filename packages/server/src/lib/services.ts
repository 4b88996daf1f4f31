import { type AgentRegistry, createAgentRegistry } from './agents/agent-registry.ts';
import { withAudit } from './audit/audit.ts';
import { CredentialLookups } from './auth/credential-lookups.ts';
import { RefusedOrigins } from './auth/refused-origins.ts';
import { createInProcessBus } from './bus/in-process-bus.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Settings } from './config/settings.ts';
import { loadPseudonyms, type Pseudonyms } from './erasure/pseudonyms.ts';
import { EventLog } from './events/event-log.ts';
import { BlobDeletions } from './files/blob-deletions.ts';
import { Files } from './files/files.ts';
import { Turns } from './http/turns.ts';
import { BodyLimiter } from './limits/body-limiter.ts';
import { createInProcessLimiter } from './limits/in-process-limiter.ts';
import type { Logger } from './log/logger.ts';
import type { Random } from './random.ts';
import { ModelFailures } from './runs/model-failures.ts';
import { RunEngine } from './runs/run-engine.ts';
import { RunQueue } from './runs/run-queue.ts';
import { Spending } from './runs/spending.ts';
import type { ServiceOptions } from './service-options.ts';
import { DeletionWork } from './sessions/delete-sessions.ts';
import { Sessions } from './sessions/sessions.ts';
import { lockStore, openBlobs, openStore } from './store/open-store.ts';
import { StreamHub } from './stream/stream-hub.ts';
import { deleteOldUnblocks } from './tokens/end-user-blocks.ts';
import { WebhookOutbox } from './webhooks/webhook-outbox.ts';
import { Worker } from './workers/worker.ts';

/** All services of a process. Routes receive all of them; other functions take a `Pick<Services, …>`. */
export interface Services extends ServiceOptions {
  readonly agents: AgentRegistry;
  readonly pseudonyms: Pseudonyms;
  readonly credentials: CredentialLookups;
  readonly refusedOrigins: RefusedOrigins;
  readonly turns: Turns;
  readonly sessions: Sessions;
  readonly events: EventLog;
  readonly files: Files;
  readonly blobDeletions: BlobDeletions;
  /** Deletes what users have deleted. */
  readonly deletions: DeletionWork;
  /** Limits the bytes of all uploads in progress. */
  readonly uploads: BodyLimiter;
  readonly runQueue: RunQueue;
  /** This process, as the owner of background work. */
  readonly worker: Worker;
  readonly spending: Spending;
  readonly hub: StreamHub;
  readonly engine: RunEngine;
  readonly modelFailures: ModelFailures;
  readonly webhooks: WebhookOutbox;
  /** Ends streams and stops runs; the next process continues the runs. The store stays open. */
  close(): Promise<void>;
}

/** Creates the services, and starts the run engine. */
export async function createServices(given: ServiceOptions): Promise<Services> {
  const options = { ...given, store: withAudit(given.store) };
  const { store, clock } = options;
  const agents = await createAgentRegistry(options);
  await deleteOldUnblocks(store.db, agents.list());
  const pseudonyms = await loadPseudonyms(options);
  const worker = await Worker.start(options);
  const webhooks = await WebhookOutbox.start({ ...options, worker });
  const base = { ...options, agents, pseudonyms, webhooks };
  const events = new EventLog(base);
  const blobDeletions = new BlobDeletions({ ...base, worker });
  const files = new Files({ ...base, blobDeletions });
  const spending = new Spending(base);
  const runQueue = new RunQueue({ store, clock, worker: worker.id });
  const hub = new StreamHub({ ...base, events });
  const attachments = new BodyLimiter(
    options.config.limits.process.attachment_bytes,
    'Too many attachments are being sent to the model. Try again soon.',
  );
  const modelFailures = new ModelFailures(base);
  const engine = new RunEngine({
    ...base,
    attachments,
    events,
    files,
    modelFailures,
    runQueue,
    spending,
    worker,
  });
  const stopCounting = options.metrics && options.bus.subscribe(options.metrics.countEvents);
  options.metrics?.addReaders({
    openStreams: () => hub.size,
    waitingRuns: () => runQueue.waiting(),
    waitingWebhooks: () => webhooks.waiting(),
  });
  const sessions = new Sessions(base);
  const refusedOrigins = new RefusedOrigins(base);
  const deletions = new DeletionWork({ ...base, events, files, sessions });
  return {
    ...base,
    credentials: new CredentialLookups(clock, options.config.limits.source.requests_per_second),
    refusedOrigins,
    turns: new Turns(),
    sessions,
    deletions,
    blobDeletions,
    events,
    files,
    uploads: new BodyLimiter(
      options.config.limits.process.upload_bytes,
      'Too many files are being uploaded. Try again soon.',
    ),
    runQueue,
    worker,
    spending,
    hub,
    engine,
    modelFailures,
    async close() {
      hub.close();
      await engine.close();
      await deletions.close();
      await blobDeletions.close();
      await webhooks.close();
      await refusedOrigins.close();
      await worker.close();
      agents.close();
      modelFailures.close();
      stopCounting?.();
    },
  };
}

/** The store, the bus and the limiter. Processes share state through them. */
export interface BackingServices extends Pick<ServiceOptions, 'store' | 'bus' | 'limiter'> {
  /** Closes all of them. Call it after everything that uses them is closed. */
  close(): Promise<void>;
}

/**
 * Opens the backing services that the settings name. If one of them cannot be opened, closes the others.
 *
 * @throws ConfigError If the store, the object storage or Redis cannot be used.
 */
export async function openBackingServices(options: {
  readonly settings: Pick<Settings, 'data' | 'databaseUrl' | 'databasePool' | 'redisUrl'>;
  readonly config: Pick<Config, 'store'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly secret: ServiceOptions['secret'];
}): Promise<BackingServices> {
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const service of opened.splice(0).reverse()) await service.close();
  };
  try {
    const lock = lockStore(options.settings);
    if (lock) opened.push(lock);
    const database = await openStore(options);
    opened.push(database);
    const store = { ...database, blobs: await openBlobs(options, database.blobs) };
    const { redisUrl } = options.settings;
    if (redisUrl === null) {
      const bus = createInProcessBus(options.log, {
        isAlone: options.settings.databaseUrl === null,
      });
      return { store, bus, limiter: createInProcessLimiter(options.clock), close };
    }
    // Loaded on demand, so that a process without Redis starts faster and uses less memory.
    const [{ createRedisBus }, { createRedisLimiter }] = await Promise.all([
      import('./bus/redis-bus.ts'),
      import('./limits/redis-limiter.ts'),
    ]);
    const bus = await createRedisBus({ ...options, url: redisUrl });
    opened.push(bus);
    const limiter = await createRedisLimiter({ ...options, url: redisUrl });
    opened.push(limiter);
    return { store, bus, limiter, close };
  } catch (error) {
    await close();
    throw error;
  }
}
