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
import { createModel } from '../agent-models/create-model.ts';
import type { ModelError, ModelUsage } from '../agent-models/model.ts';
import { type Agent, agentVersion } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { sleep } from '../clock.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { EventLog } from '../events/event-log.ts';
import { LogChangedError } from '../events/event-log.ts';
import type { Files } from '../files/files.ts';
import { userScope } from '../idempotency/idempotent.ts';
import type { BodyLimiter } from '../limits/body-limiter.ts';
import { subjectsOf } from '../limits/key-reserve.ts';
import { describeError } from '../log/logger.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { SessionsTable } from '../store/schema.ts';
import type { Worker } from '../workers/worker.ts';
import { finalEvents, idleEvent } from './final-events.ts';
import { maximumAttachmentBytes } from './history.ts';
import { callModel } from './model-call.ts';
import { prepareModelRequest } from './model-request.ts';
import { PartialEvent } from './partial-event.ts';
import { hasAnswered, isRunOpen, isTerminated, nextStep, type Step } from './plan.ts';
import { loadProviderMessages, storeProviderMessage } from './provider-messages.ts';
import * as errors from './run-errors.ts';
import { RunLog } from './run-log.ts';
import type { Lease, RunQueue } from './run-queue.ts';
import type { Spending } from './spending.ts';
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

type GiveUpReason = 'budget_reached' | 'retries_exhausted';

/** The services that runs need. */
export interface RunServices
  extends Pick<
    ServiceOptions,
    'baseUrl' | 'bus' | 'clock' | 'config' | 'log' | 'secret' | 'store'
  > {
  readonly agents: AgentRegistry;
  /** Limits the attachments of all model requests in progress, which are kept in memory. */
  readonly attachments: BodyLimiter;
  readonly events: EventLog;
  readonly files: Files;
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
  #modelCalls = 0;

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
   * Performs the steps of the run. Resolves when the run has ended and its lease is released;
   * rejects if this process must not continue.
   *
   * @throws RequeueError If the run needs a model or a tool, and `isWithinLimits` is false.
   */
  async perform(): Promise<void> {
    // Checked before the log is read, because reading it may be what crashed the other processes.
    if (this.#lease.attempt > maxRunAttempts) return this.#abandon();
    let isTakeoverChecked = false;
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
        if (step.repeat && this.#hasFailed) await this.#giveUp();
        else await this.#callModel();
        return false;
      case 'wait':
      case 'rest':
        await this.#log.finish(await this.#withAllowances(finalEvents(this.#log.events, step)));
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
    const allowances = await this.#services.spending.allowances(this.#session);
    return drafts.map((draft) =>
      draft.type === 'session.status_idle' && allowances.length > 0
        ? { ...draft, allowances }
        : draft,
    );
  }

  async #callModel(): Promise<void> {
    const { attachments, files } = this.#services;
    const { id, source } = this.#session;
    const owners = [userScope(this.#user), ...subjectsOf(source)];
    const reserved = attachments.open(owners);
    const bytes = Math.min(await files.bytesForModel(id), maximumAttachmentBytes);
    if (!reserved.tryTake(bytes)) return this.#pause(reservationInterval);
    try {
      await this.#callModelOnce();
    } finally {
      reserved.release();
    }
  }

  async #callModelOnce(): Promise<void> {
    const services = this.#services;
    const session = this.#session;
    const agent = this.#findAgent();
    const prepared = await prepareModelRequest(this.#log.events, session, agent, {
      attachment: (fileId) => services.files.forModel(this.#user, fileId),
      providerMessages: (model) => loadProviderMessages(services.store, session.id, model),
    });
    if (!prepared) return this.#giveUp(errors.agentNotFoundError());
    if (this.#modelCalls >= services.config.limits.run.model_calls) {
      return this.#giveUp(errors.runLimitError());
    }
    const { model } = prepared;
    let reservation = await services.spending.reserve(session, prepared, this.#lease.id);
    // The request is kept while the run waits, because building it again would read its attachments
    // again.
    while (reservation === 'wait') {
      const { lastSeq } = this.#log;
      await this.#pause(reservationInterval);
      await this.#log.refresh();
      const isOutdated = this.#log.lastSeq !== lastSeq || this.#findAgent() !== agent;
      if (isOutdated || this.#interrupt.signal.aborted || this.#stopSignal.aborted) return;
      reservation = await services.spending.reserve(session, prepared, this.#lease.id);
    }
    if (typeof reservation === 'string') {
      return this.#giveUp(errors.spendingError(reservation), 'budget_reached');
    }
    const requestId = this.#services.events.newEventId();
    try {
      // Rejects if an event was appended concurrently, because the request does not include it.
      await this.#log.appendIfCurrent([{ type: 'span.model_request_start', id: requestId }]);
    } catch (error) {
      await reservation.settle(noUsage);
      throw error;
    }
    this.#modelCalls += 1;
    this.#attempt += 1;
    const signal = AbortSignal.any([this.#interrupt.signal, this.#stopSignal]);
    const outcome = await callModel(createModel(model, services), prepared.request, signal, {
      newEventId: () => this.#services.events.newEventId(),
      openPartialEvent: (event) => {
        this.#partialEvent = new PartialEvent(session.id, event, services, () =>
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
    });
    this.#partialEvent = null;
    const { error, usage, providerMessage } = outcome;
    const willRetry =
      error?.kind === 'failed' &&
      error.retryable &&
      !outcome.hasOutput &&
      this.#attempt < maxCallAttempts;
    try {
      // Partial output is dropped: the process that takes over calls the model again.
      this.#stopSignal.throwIfAborted();
      if (outcome.appendFailure) throw outcome.appendFailure.cause;
      await this.#log.append(
        [
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
          },
          ...(error ? [this.#reportFailure(error, willRetry)] : []),
        ],
        async (transaction) => {
          await reservation.settle(usage, transaction);
          if (!providerMessage) return;
          const request = { sessionId: session.id, requestId, model };
          await storeProviderMessage(transaction, request, providerMessage);
        },
      );
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

  /** Waits. Resolves early if the run is interrupted or must stop. */
  #pause(milliseconds: number): Promise<void> {
    const signal = AbortSignal.any([this.#interrupt.signal, this.#stopSignal]);
    return sleep(this.#services.clock, milliseconds, signal);
  }

  /** Logs an error of the model, and returns the event that shows it to the user. */
  #reportFailure(error: ModelError, willRetry: boolean): EventDraft {
    this.#services.log.warn('model call failed', {
      session: this.#session.id,
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
    const signal = AbortSignal.any([this.#interrupt.signal, this.#stopSignal]);
    // Each tool call adds a listener, and Node warns about more than ten.
    setMaxListeners(0, signal);
    const endReasons: string[] = [];
    await Promise.all(
      calls.map(async (call) => {
        const result = await runTool(
          call,
          tools,
          {
            agentId: this.#session.agent_id,
            externalUserId: this.#session.external_user_id,
            sessionId: this.#session.id,
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
    await this.#log.append((transaction) =>
      terminationEvents(transaction, this.#session.id, reason),
    );
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
