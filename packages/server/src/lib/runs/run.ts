/**
 * The path of an event from a user's message to the browsers:
 *
 * 1. A message is appended to the session's log. `run-engine.ts` takes the session's run from the queue, and
 *    starts a `Run`.
 * 2. The run reads the log, and `plan.ts` derives the next step: a model call, a tool call, or the end.
 * 3. `model-call.ts` calls the model, and passes each fragment of the output to a `PartialEvent`, which
 *    publishes fragments on the bus: the first one immediately, later ones every 25 ms. Fragments are
 *    not stored.
 * 4. `run-log.ts` checks the lease, stores whole events, and then publishes them on the bus.
 * 5. Each process writes the messages of the bus to the streams of its readers, and disconnects readers
 *    that are too slow (`stream/`).
 */

import { setMaxListeners } from 'node:events';
import type { Allowance, LogEvent } from '@inlay/protocol';
import type { Kysely, Transaction } from 'kysely';
import { createModel } from '../agent-models/create-model.ts';
import type { ModelError, ModelUsage } from '../agent-models/model.ts';
import { priceNameOf } from '../agent-models/price.ts';
import { type Agent, agentVersion } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { isoTime, sleep } from '../clock.ts';
import type { ModelConfig } from '../config/model.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { EventLog } from '../events/event-log.ts';
import { LogChangedError } from '../events/event-log.ts';
import { fileIdsOf } from '../events/file-ids.ts';
import type { LockedSession } from '../events/lock-session.ts';
import type { SessionChanges } from '../events/update-session-row.ts';
import type { Files } from '../files/files.ts';
import { userScope } from '../idempotency/idempotent.ts';
import type { BodyLimiter } from '../limits/body-limiter.ts';
import { subjectsOf } from '../limits/key-reserve.ts';
import { describeError } from '../log/logger.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { traceModel } from '../telemetry/trace-model.ts';
import { traceRun } from '../telemetry/trace-run.ts';
import type { Worker } from '../workers/worker.ts';
import { toolCitations } from './citations.ts';
import { finalEvents, idleEvent } from './final-events.ts';
import { maximumAttachmentBytes } from './history.ts';
import { callModel } from './model-call.ts';
import type { ModelFailures } from './model-failures.ts';
import { type PreparedRequest, prepareModelRequest } from './model-request.ts';
import { PartialEvent } from './partial-event.ts';
import {
  hasAnswered,
  isRunOpen,
  isTerminated,
  modelCallsFor,
  nextStep,
  type Step,
} from './plan.ts';
import { loadProviderMessages, storeProviderMessage } from './provider-messages.ts';
import * as errors from './run-errors.ts';
import { RunLog } from './run-log.ts';
import type { Lease, RunQueue } from './run-queue.ts';
import { microcentsPerCent, type Reservation, type Spending } from './spending.ts';
import { terminationEvents } from './termination.ts';
import type { ToolCall } from './tool-calls.ts';
import { runTool, toolResult } from './tool-runner.ts';

/** Maximum attempts at one model call, including the first. */
const maxCallAttempts = 3;
/** Milliseconds before the second attempt; doubled before the third. */
const firstBackoff = 500;
/**
 * Milliseconds before the next attempt to reserve money or memory, while other model calls have
 * reserved the rest.
 */
const reservationInterval = 500;
/**
 * Maximum processes that try a run one after the other, because the run itself may crash them. Clean
 * stops do not count.
 */
const maxRunAttempts = 5;

/** Usage of a model call that was not made. */
const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0, estimated: false };

/** A model call that is in the log, and whose cost is reserved. */
interface StartedCall {
  readonly prepared: PreparedRequest;
  readonly reservation: Reservation;
  /** Id of the `span.model_request_start`. */
  readonly requestId: string;
}

type GiveUpReason = 'budget_reached' | 'retries_exhausted';

/** The services that runs need. */
export interface RunServices
  extends Pick<
    ServiceOptions,
    'baseUrl' | 'bus' | 'clock' | 'config' | 'log' | 'metrics' | 'secret' | 'store'
  > {
  readonly agents: AgentRegistry;
  /** Limits the attachments of all model requests in progress, which are kept in memory. */
  readonly attachments: BodyLimiter;
  readonly events: EventLog;
  readonly files: Files;
  readonly modelFailures: ModelFailures;
  readonly runQueue: RunQueue;
  readonly spending: Spending;
  readonly worker: Pick<Worker, 'isAlive'>;
}

/**
 * Thrown by a run that was started beyond the limits of concurrent runs, to end the pending tool calls
 * of an interrupted session, and that then needs a model or a tool. The run must be queued again.
 */
export class RequeueError extends Error {
  override readonly name = 'RequeueError';
}

/**
 * Works on one session, from the current state of its log to the `session.status_idle` that ends
 * the run.
 */
export class Run {
  readonly #session: SessionsTable;
  readonly #lease: Lease;
  readonly #isWithinLimits: boolean;
  readonly #log: RunLog;
  readonly #services: RunServices;
  /** Aborted when this process is stopping or has lost the lease. */
  readonly #stopSignal: AbortSignal;
  #interrupt = new AbortController();
  /** `seq` of the latest interrupt that the run was notified of. */
  #interruptedAt = 0;
  #partialEvent: PartialEvent | null = null;
  /** Number of attempts at the current model call. */
  #attempt = 0;
  /** Whether the last model call failed and must not be repeated. */
  #hasFailed = false;
  /** The model call that `prepareStart` has announced and reserved. */
  #startedCall: StartedCall | null = null;
  /** Whether other runs may have been queued when this one ended. */
  #mayHaveQueued = true;

  /**
   * @param options.isWithinLimits Whether the run may call models and tools; false if it was started
   *   beyond the limits of concurrent runs.
   */
  constructor(
    session: SessionsTable,
    options: { lease: Lease; isWithinLimits: boolean },
    stopSignal: AbortSignal,
    services: RunServices,
  ) {
    this.#session = session;
    this.#lease = options.lease;
    this.#isWithinLimits = options.isWithinLimits;
    this.#stopSignal = stopSignal;
    this.#services = services;
    this.#log = new RunLog(options.lease, services);
  }

  get mayHaveQueued(): boolean {
    return this.#mayHaveQueued;
  }

  /** Interrupts the current step, unless the run has already read the interrupt with this `seq`. */
  interrupt(seq: number): void {
    if (seq <= this.#log.lastSeq) return;
    this.#interruptedAt = Math.max(this.#interruptedAt, seq);
    this.#interrupt.abort();
  }

  /** Checks the log for an interrupt whose bus message was lost. */
  async checkForInterrupts(): Promise<void> {
    const unread = await this.#services.events.read(this.#session.id, { after: this.#log.lastSeq });
    for (const event of unread) if (event.type === 'user.interrupt') this.interrupt(event.seq);
  }

  /** Publishes the partial event again, for readers that missed its start. */
  repeatPartialEvent(): void {
    this.#partialEvent?.repeat();
  }

  /**
   * Prepares the start of the run in the transaction that takes it, if its first step is a model call
   * without attachments, which take long to load.
   *
   * @param session The locked session.
   * @returns A function that announces the call and reserves its cost in the same transaction; null if
   *   `perform` has to start the run.
   * @throws NotReservedError If the cost cannot be reserved at once.
   */
  async prepareStart(
    transaction: Transaction<Schema>,
    session: LockedSession,
  ): Promise<(() => Promise<void>) | null> {
    await this.#log.load(transaction);
    const log = this.#log.events;
    const step = nextStep(log);
    const isFirstCall = step.type === 'call_model' && !step.repeat && !isRunOpen(log);
    if (!isFirstCall || log.some((event) => fileIdsOf(event).length > 0)) return null;
    const { events, spending, config } = this.#services;
    const prepared = await this.#prepareRequest(this.#findAgent(), transaction);
    if (!prepared || config.limits.run.model_calls === 0) return null;
    const current = { ...this.#session, ...session };
    const reserve = await spending.prepareReservation(
      transaction,
      current,
      prepared,
      this.#lease.id,
    );
    return async () => {
      const requestId = events.newEventId();
      const drafts: EventDraft[] = [
        { type: 'session.status_running' },
        { type: 'span.model_request_start', id: requestId },
      ];
      await this.#log.writeStart(transaction, session, drafts, async () => {
        const { reservation, changes } = await reserve();
        this.#startedCall = { prepared, reservation, requestId };
        return changes;
      });
    };
  }

  /**
   * Performs the steps of the run. Resolves when the run has ended and its lease is released;
   * rejects if this process must not continue.
   *
   * @throws RequeueError If the run needs a model or a tool, and `isWithinLimits` is false.
   */
  perform(): Promise<void> {
    return traceRun(this.#session, this.#findAgent(), () => this.#performSteps());
  }

  async #performSteps(): Promise<void> {
    // Checked before the log is read, because reading it may be what crashed the other processes.
    if (this.#lease.attempt > maxRunAttempts) return this.#abandon();
    if (this.#startedCall) {
      await this.#log.publishStart();
      if (await this.#performCall(this.#startedCall)) return;
    }
    let isTakeoverChecked = this.#startedCall !== null;
    for (;;) {
      await this.#log.refresh();
      // The interrupt has been read with the log, so it must not stop the steps that follow.
      if (this.#interruptedAt <= this.#log.lastSeq) this.#interrupt = new AbortController();
      this.#stopSignal.throwIfAborted();
      try {
        if (!isTakeoverChecked) await this.#announceTakeover();
        isTakeoverChecked = true;
        if (await this.#performStep(nextStep(this.#log.events))) return;
      } catch (error) {
        // Another event was appended, so the next step is planned again with that event. Unless the
        // session was deleted: then its log has become shorter.
        if (!(error instanceof LogChangedError)) throw error;
        await this.#log.requireLease();
      }
    }
  }

  /** Ends a run that too many processes have tried, without reading its log. */
  async #abandon(): Promise<void> {
    await this.#log.abandon([errors.abandonedError(), idleEvent('retries_exhausted')]);
  }

  /** Notifies readers if this process continues a run that was left unfinished. */
  async #announceTakeover(): Promise<void> {
    if (isRunOpen(this.#log.events) && !isTerminated(this.#log.events)) {
      await this.#log.appendIfCurrent([
        { type: 'session.status_rescheduled' },
        { type: 'session.status_running' },
      ]);
    }
  }

  /** Returns true if the run is over. */
  async #performStep(step: Step): Promise<boolean> {
    const isWork = step.type === 'run_tools' || step.type === 'call_model';
    if (isWork && !this.#isWithinLimits) throw new RequeueError();
    switch (step.type) {
      case 'refuse':
        await this.#start();
        await this.#log.append(step.calls.map((call) => toolResult(call.id, call.result, true)));
        return false;
      case 'run_tools':
        await this.#start();
        await this.#runTools(step.calls);
        return false;
      case 'call_model':
        await this.#start();
        if (!step.repeat || !this.#hasFailed) return this.#callModel();
        await this.#giveUp();
        return false;
      case 'wait':
      case 'rest':
        this.#mayHaveQueued = await this.#log.finish(
          await this.#withAllowances(finalEvents(this.#log.events, step)),
        );
        return true;
    }
  }

  /**
   * Appends `session.status_running`, unless the log shows that the run is open. Rejects if events
   * were appended concurrently, so that a terminated session does not start again.
   */
  async #start(): Promise<void> {
    if (isRunOpen(this.#log.events)) return;
    await this.#log.appendIfCurrent([{ type: 'session.status_running' }]);
  }

  /** Adds the used parts of the budgets to a `session.status_idle`. */
  async #withAllowances(drafts: readonly EventDraft[]): Promise<EventDraft[]> {
    if (!drafts.some(({ type }) => type === 'session.status_idle')) return [...drafts];
    return addAllowances(drafts, await this.#services.spending.allowances(this.#session));
  }

  /** Returns true if the run is over. */
  async #callModel(): Promise<boolean> {
    const { attachments, files } = this.#services;
    const { id, source } = this.#session;
    const owners = [userScope(this.#user), ...subjectsOf(source)];
    const reserved = attachments.open(owners);
    const bytes = Math.min(await files.bytesForModel(id), maximumAttachmentBytes);
    if (!reserved.tryTake(bytes)) {
      await this.#pause(reservationInterval);
      return false;
    }
    try {
      const call = await this.#startCall();
      return call !== null && (await this.#performCall(call));
    } finally {
      reserved.release();
    }
  }

  #prepareRequest(agent: Agent | null, db: Kysely<Schema>): Promise<PreparedRequest | null> {
    return prepareModelRequest(this.#log.events, this.#session, agent, {
      attachment: (fileId) => this.#services.files.forModel(this.#user, fileId, this.#signal),
      providerMessages: (model) => loadProviderMessages(db, this.#session.id, model),
    });
  }

  /** Reserves and announces the next model call. Returns null if it must not be made now. */
  async #startCall(): Promise<StartedCall | null> {
    const services = this.#services;
    const session = this.#session;
    const giveUp = async (error: EventDraft, reason?: GiveUpReason) => {
      await this.#giveUp(error, reason);
      return null;
    };
    const agent = this.#findAgent();
    const prepared = await this.#prepareRequest(agent, services.store.db);
    // Attachments may be missing from the request.
    if (this.#signal.aborted) return null;
    if (!prepared) return giveUp(errors.agentNotFoundError());
    if (modelCallsFor(this.#log.events) >= services.config.limits.run.model_calls) {
      return giveUp(errors.runLimitError());
    }
    let reservation = await services.spending.reserve(session, prepared, this.#lease.id);
    // The request is kept while the run waits, because building it again would read its attachments
    // again.
    while (reservation === 'wait') {
      const { lastSeq } = this.#log;
      await this.#pause(reservationInterval);
      await this.#log.refresh();
      const isOutdated = this.#log.lastSeq !== lastSeq || this.#findAgent() !== agent;
      if (isOutdated || this.#signal.aborted) return null;
      reservation = await services.spending.reserve(session, prepared, this.#lease.id);
    }
    if (typeof reservation === 'string') {
      return giveUp(errors.spendingError(reservation), 'budget_reached');
    }
    const requestId = this.#services.events.newEventId();
    try {
      // Rejects if an event was appended concurrently, because the request does not include it.
      await this.#log.appendIfCurrent([{ type: 'span.model_request_start', id: requestId }]);
    } catch (error) {
      await reservation.settle(noUsage);
      throw error;
    }
    return { prepared, reservation, requestId };
  }

  /** Calls the model, and appends its output. Returns true if the run is over. */
  async #performCall({ prepared, reservation, requestId }: StartedCall): Promise<boolean> {
    const services = this.#services;
    const session = this.#session;
    const { model } = prepared;
    this.#attempt += 1;
    const signal = this.#signal;
    const startedAt = services.clock.now();
    let firstChunkMs: number | null = null;
    const tracedModel = traceModel(
      createModel(model, services),
      { model, sessionId: session.id },
      services,
    );
    const outcome = await callModel(tracedModel, prepared.request, signal, {
      newEventId: () => this.#services.events.newEventId(),
      openPartialEvent: (event) => {
        firstChunkMs ??= services.clock.now() - startedAt;
        const { lastSeq } = this.#log;
        this.#partialEvent = new PartialEvent(session.id, event, lastSeq, services, () =>
          services.worker.isAlive(),
        );
        return this.#partialEvent;
      },
      append: (drafts) => this.#log.append(drafts),
      mayBeEmpty: hasAnswered(this.#log.events),
      tools: prepared.tools,
      builtIns: prepared.builtIns,
      limits: services.config.limits.run,
      log: services.log,
      toolCitations: toolCitations(this.#log.events),
    });
    this.#partialEvent = null;
    const { error, usage, providerMessage } = outcome;
    const ms = services.clock.now() - startedAt;
    services.metrics?.models.count({ model, usage, ms, firstChunkMs, error: error?.kind ?? null });
    services.metrics?.countSpending(
      this.#findAgent()?.short_id ?? session.agent_id,
      reservation.costOf(usage) / microcentsPerCent,
    );
    if (!signal.aborted) this.#recordCall(error);
    const willRetry =
      error?.kind === 'failed' &&
      error.retryable &&
      !outcome.hasOutput &&
      this.#attempt < maxCallAttempts;
    try {
      // Partial output is dropped: the process that takes over calls the model again.
      this.#stopSignal.throwIfAborted();
      if (outcome.appendFailure) throw outcome.appendFailure.cause;
      const output: EventDraft[] = [
        ...outcome.drafts,
        {
          type: 'span.model_request_end',
          model_request_start_id: requestId,
          is_error: error !== null,
          finish_reason: outcome.finishReason,
          model_usage: {
            input_tokens: usage.inputTokens,
            output_tokens: usage.outputTokens,
            ...(usage.estimated && { estimated: true }),
          },
          duration_ms: ms,
          first_token_ms: firstChunkMs,
          model: priceNameOf(model),
          spent_microcents: reservation.costOf(usage),
        },
        ...(error ? [this.#reportFailure(error, model, willRetry)] : []),
      ];
      const settle = async (transaction: Transaction<Schema>): Promise<SessionChanges> => {
        const logBytes = providerMessage
          ? await storeProviderMessage(
              transaction,
              { sessionId: session.id, requestId, model },
              providerMessage,
            )
          : 0;
        return { ...(await reservation.settleIn(transaction, usage)), logBytes };
      };
      if (!error && (await this.#finishWith(output, reservation.costOf(usage), settle)))
        return true;
      await this.#log.append(output, settle);
    } catch (failure) {
      await reservation.settle(usage);
      throw failure;
    }
    this.#hasFailed = error !== null && !willRetry;
    if (willRetry) {
      await this.#pause(firstBackoff * 2 ** (this.#attempt - 1));
    } else {
      this.#attempt = 0;
    }
    return false;
  }

  /**
   * Appends the output of a call and the end of the run in one transaction. Returns false, and appends
   * nothing, if the run continues after the output, or if another event was appended meanwhile.
   *
   * @param cost The cost of the call in micro-cents, which `settle` adds.
   */
  async #finishWith(
    output: readonly EventDraft[],
    cost: number,
    settle: (transaction: Transaction<Schema>) => Promise<SessionChanges>,
  ): Promise<boolean> {
    const { lastSeq } = this.#log;
    const appended = output.map(
      (draft, index) =>
        ({ id: '', ...draft, seq: lastSeq + index + 1, processed_at: '' }) as LogEvent,
    );
    const log = [...this.#log.events, ...appended];
    const step = nextStep(log);
    if (step.type !== 'wait' && step.type !== 'rest') return false;
    const end = finalEvents(log, step);
    const { spending } = this.#services;
    try {
      this.#mayHaveQueued = await this.#log.finish(async (transaction, session) => {
        const current = { ...this.#session, ...session };
        const allowances = await spending.allowancesIn(transaction, current, cost);
        return [...output, ...addAllowances(end, allowances)];
      }, settle);
      return true;
    } catch (error) {
      if (error instanceof LogChangedError) return false;
      throw error;
    }
  }

  /** Returns the agent of the session; null if it was deleted or archived. */
  #findAgent(): Agent | null {
    const agent = this.#services.agents.find(this.#session.agent_id);
    return agent?.archivedAt === null ? agent : null;
  }

  get #user() {
    const { agent_id: agentId, external_user_id: externalUserId } = this.#session;
    return { agentId, externalUserId };
  }

  /** Aborted when the current step is interrupted or must stop. */
  get #signal(): AbortSignal {
    return AbortSignal.any([this.#interrupt.signal, this.#stopSignal]);
  }

  /** Waits. Resolves early if the run is interrupted or must stop. */
  #pause(milliseconds: number): Promise<void> {
    return sleep(this.#services.clock, milliseconds, this.#signal);
  }

  /** Records whether the model responded. A response that is no answer, such as a refusal, is one. */
  #recordCall(error: ModelError | null): void {
    const { clock, modelFailures } = this.#services;
    const hasFailed = error?.kind === 'failed' || error?.kind === 'stalled';
    const failure = hasFailed ? { failed_at: isoTime(clock.now()), ...error.reason } : null;
    modelFailures.record(this.#session.agent_id, failure);
  }

  /** Logs an error of the model, and returns the event that shows it to the user. */
  #reportFailure(error: ModelError, model: ModelConfig, willRetry: boolean): EventDraft {
    // Not the query or the user of the URL, which may be secret.
    const url = 'base_url' in model ? new URL(model.base_url) : null;
    this.#services.log.warn('model call failed', {
      session: this.#session.id,
      agent: this.#findAgent()?.short_id ?? this.#session.agent_id,
      ...(url && 'model' in model && { model: model.model, url: url.origin + url.pathname }),
      attempt: this.#attempt,
      kind: error.kind,
      retryable: error.retryable,
      error: error.message,
      ...(error.cause !== undefined && describeError(error.cause)),
    });
    return errors.modelError(error, willRetry);
  }

  async #runTools(calls: readonly ToolCall[]): Promise<void> {
    const services = this.#services;
    const agent = this.#findAgent();
    const tools = (agent && agentVersion(agent, this.#session.agent_version)?.tools) ?? [];
    const signal = this.#signal;
    // Each tool call adds a listener, and Node warns about more than ten.
    setMaxListeners(0, signal);
    const endReasons: string[] = [];
    const session = this.#session;
    const context = {
      agentId: session.agent_id,
      agentVersion: session.agent_version,
      externalUserId: session.external_user_id,
      isAnonymous: session.publishable_key !== null,
      publishableKey: session.publishable_key,
      metadata: JSON.parse(session.token_metadata),
      sessionId: session.id,
    };
    await Promise.all(
      calls.map(async (call) => {
        const result = await runTool(
          call,
          tools,
          {
            ...context,
            callId: call.id,
            signal,
            endConversation: (reason = '') => void endReasons.push(String(reason)),
          },
          services,
        );
        if (result && !this.#stopSignal.aborted) await this.#log.appendBatched(result);
      }),
    );
    const [reason] = endReasons;
    if (reason === undefined || this.#stopSignal.aborted) return;
    await this.#log.append(async (_, session) => terminationEvents(session, reason));
  }

  /**
   * Ends the run without an agent message, unless events were appended that may change the outcome.
   */
  async #giveUp(error?: EventDraft, reason: GiveUpReason = 'retries_exhausted'): Promise<void> {
    await this.#log.appendIfCurrent(
      await this.#withAllowances([...(error ? [error] : []), idleEvent(reason)]),
    );
  }
}

function addAllowances(
  drafts: readonly EventDraft[],
  allowances: readonly Allowance[],
): EventDraft[] {
  return drafts.map((draft) =>
    draft.type === 'session.status_idle' && allowances.length > 0
      ? { ...draft, allowances: [...allowances] }
      : draft,
  );
}
