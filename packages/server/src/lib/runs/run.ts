/**
 * The path of an event from a user's message to the browsers:
 *
 * 1. A message is appended to the session's log. `run-engine.ts` acquires the session's lease, and
 *    starts a `Run`.
 * 2. The run reads the log, and `plan.ts` derives the next step: a model call, a tool call, or the end.
 * 3. `model-call.ts` calls the model, and passes each fragment of its output to a `PartialEvent`, which
 *    publishes it on the bus: the first one at once, later ones every 25 ms. Fragments are not stored.
 * 4. Whole events go through `run-log.ts`, which checks the lease, to the store, and then to the bus.
 * 5. Each process writes what the bus delivers to the streams of its readers, and disconnects readers
 *    that do not read (`stream/`).
 */

import { setMaxListeners } from 'node:events';
import { agentVersion } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { sleep } from '../clock.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { EventLog } from '../events/event-log.ts';
import { LogChangedError } from '../events/event-log.ts';
import type { Files } from '../files/files.ts';
import { describeError } from '../log/logger.ts';
import { createModel } from '../models/create-model.ts';
import type { ModelError, ModelUsage } from '../models/model.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { SessionsTable } from '../store/schema.ts';
import { finalEvents, idle } from './final-events.ts';
import type { Lease, Leases } from './leases.ts';
import { callModel } from './model-call.ts';
import { prepareModelRequest } from './model-request.ts';
import { PartialEvent } from './partial-event.ts';
import { isOver, isRunOpen, nextStep, type Step } from './plan.ts';
import * as errors from './run-errors.ts';
import { RunLog } from './run-log.ts';
import type { Spending } from './spending.ts';
import { terminationEvents } from './termination.ts';
import type { ToolCall } from './tool-calls.ts';
import { runTool, toolResult } from './tool-runner.ts';

/** Attempts at one model call, including the first. */
const maxAttempts = 3;
/** Milliseconds before the second attempt; doubled before the third. */
const firstBackoff = 500;
/**
 * Milliseconds between two checks whether model calls in progress have left room in a day's budget.
 */
const budgetPollInterval = 500;
/**
 * Number of takeovers after which a run is abandoned, because it may be what crashes the processes.
 */
const maxTakeovers = 5;

/** Usage of a model call that was not made. */
const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0, estimated: false };

type GiveUpReason = 'budget_reached' | 'retries_exhausted';

/** The services that runs need. */
export interface RunServices
  extends Pick<ServiceOptions, 'baseUrl' | 'bus' | 'clock' | 'config' | 'log' | 'secret'> {
  readonly agents: AgentRegistry;
  readonly events: EventLog;
  readonly files: Files;
  readonly leases: Leases;
  readonly spending: Spending;
}

/** The run needs a model or a tool, but was only acquired to end pending calls. */
export class QueuedError extends Error {
  override readonly name = 'QueuedError';
}

/**
 * Works on one session, from the current state of its log to the `session.status_idle` that ends
 * the run.
 */
export class Run {
  readonly #session: SessionsTable;
  readonly #lease: Lease;
  readonly #mayWork: boolean;
  readonly #isCurrent: () => boolean;
  readonly #log: RunLog;
  readonly #services: RunServices;
  /** Aborted when this process is stopping or has lost the lease. */
  readonly #stopSignal: AbortSignal;
  #interrupt = new AbortController();
  /** `seq` of the latest interrupt that the run was notified of. */
  #interruptedAt = 0;
  #part: PartialEvent | null = null;
  #attempt = 0;
  #failed = false;
  #modelCalls = 0;

  /**
   * @param options.mayWork False for a run beyond the limits: `perform` rejects if there is work.
   * @param options.isCurrent Returns false once the lease may have expired.
   */
  constructor(
    session: SessionsTable,
    options: { lease: Lease; mayWork: boolean; isCurrent: () => boolean },
    stopSignal: AbortSignal,
    services: RunServices,
  ) {
    this.#session = session;
    this.#lease = options.lease;
    this.#mayWork = options.mayWork;
    this.#isCurrent = options.isCurrent;
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
  repeatLive(): void {
    this.#part?.repeat();
  }

  /**
   * Performs the steps of the run. Resolves when the lease is released; rejects if this process
   * must not continue.
   *
   * @throws QueuedError If there is work, and the run must not do any.
   */
  async perform(): Promise<void> {
    // Checked before the log is read, because reading it may be what crashed the other processes.
    if (this.#lease.attempt > maxTakeovers) return this.#abandon();
    let hasTakenOver = false;
    for (;;) {
      await this.#log.refresh();
      // The interrupt has been read with the log, so it must not stop the steps that follow.
      if (this.#interruptedAt <= this.#log.lastSeq) this.#interrupt = new AbortController();
      this.#stopSignal.throwIfAborted();
      try {
        if (!hasTakenOver) await this.#takeOver();
        hasTakenOver = true;
        if (await this.#performStep(nextStep(this.#log.events))) return;
      } catch (error) {
        // Another event was appended: plan the next step again, with that event.
        if (!(error instanceof LogChangedError)) throw error;
      }
    }
  }

  /** Ends a run after too many takeovers, without reading its log. */
  async #abandon(): Promise<void> {
    await this.#log.abandon([errors.abandonedError(), idle('retries_exhausted')]);
  }

  /** Notifies readers that the previous process of this run has died. */
  async #takeOver(): Promise<void> {
    if (isOver(this.#log.events)) return;
    if (this.#lease.attempt > 1 && isRunOpen(this.#log.events)) {
      await this.#log.appendIfCurrent([
        { type: 'session.status_rescheduled' },
        { type: 'session.status_running' },
      ]);
    }
  }

  /** Returns true if the run is over. */
  async #performStep(step: Step): Promise<boolean> {
    const isWork = step.type === 'run_tools' || step.type === 'call_model';
    if (isWork && !this.#mayWork) throw new QueuedError();
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
        if (step.repeat && this.#failed) await this.#giveUp();
        else await this.#callModel();
        return false;
      case 'wait':
      case 'rest':
        await this.#log.finish(await this.#withAllowances(finalEvents(this.#log.events, step)));
        return true;
    }
  }

  /**
   * Appends `session.status_running`, unless the run is open. Fails if events were appended
   * concurrently, so that a terminated session does not start again.
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
    const services = this.#services;
    const session = this.#session;
    const agent = services.agents.find(session.agent_id);
    const user = { agentId: session.agent_id, externalUserId: session.external_user_id };
    const prepared = await prepareModelRequest(this.#log.events, session, agent, (fileId) =>
      services.files.forModel(user, fileId),
    );
    if (!prepared) return this.#giveUp(errors.agentNotFoundError());
    if (this.#modelCalls >= services.config.limits.run.model_calls) {
      return this.#giveUp(errors.runLimitError());
    }
    const { model } = prepared;
    const reservation = await services.spending.reserve(session, prepared, this.#lease.id);
    if (reservation === 'wait') return this.#pause(budgetPollInterval);
    if (typeof reservation === 'string') {
      return this.#giveUp(errors.spendingError(reservation), 'budget_reached');
    }
    const start = this.#services.events.newEventId();
    try {
      // Fails if an event was appended concurrently, because the request does not include it.
      await this.#log.appendIfCurrent([{ type: 'span.model_request_start', id: start }]);
    } catch (error) {
      await reservation.settle(noUsage);
      throw error;
    }
    this.#modelCalls += 1;
    this.#attempt += 1;
    const signal = AbortSignal.any([this.#interrupt.signal, this.#stopSignal]);
    const outcome = await callModel(createModel(model, services), prepared.request, signal, {
      newEventId: () => this.#services.events.newEventId(),
      openPart: (event) => {
        this.#part = new PartialEvent(session.id, event, services, this.#isCurrent);
        return this.#part;
      },
      append: (drafts) => this.#log.append(drafts),
      tools: prepared.tools,
      builtIns: prepared.builtIns,
      limits: services.config.limits.run,
      log: services.log,
    });
    this.#part = null;
    const { error, usage } = outcome;
    const willRetry =
      error?.kind === 'failed' &&
      error.retryable &&
      !outcome.hasOutput &&
      this.#attempt < maxAttempts;
    try {
      // Partial output is dropped: the process that takes over calls the model again.
      this.#stopSignal.throwIfAborted();
      await this.#log.append(
        [
          ...outcome.drafts,
          {
            type: 'span.model_request_end',
            model_request_start_id: start,
            is_error: error !== null,
            model_usage: {
              input_tokens: usage.inputTokens,
              output_tokens: usage.outputTokens,
              ...(usage.estimated && { estimated: true }),
            },
          },
          ...(error ? [this.#failure(error, willRetry)] : []),
        ],
        (transaction) => reservation.settle(usage, transaction),
      );
    } catch (failure) {
      await reservation.settle(usage);
      throw failure;
    }
    this.#failed = error !== null && !willRetry;
    if (willRetry) {
      await this.#pause(firstBackoff * 2 ** (this.#attempt - 1));
    } else {
      this.#attempt = 0;
    }
  }

  /** Resolves early if the run is interrupted or must stop. */
  #pause(milliseconds: number): Promise<void> {
    const signal = AbortSignal.any([this.#interrupt.signal, this.#stopSignal]);
    return sleep(this.#services.clock, milliseconds, signal);
  }

  #failure(error: ModelError, willRetry: boolean): EventDraft {
    this.#services.log.warn('model call failed', {
      session: this.#session.id,
      attempt: this.#attempt,
      retryable: error.retryable,
      error: error.message,
      ...(error.cause !== undefined && describeError(error.cause)),
    });
    if (willRetry) return errors.modelError('retrying');
    if (error.kind === 'stalled') return errors.stalledError();
    if (error.kind === 'too_long') return errors.tooLongError();
    return errors.modelError(error.retryable ? 'exhausted' : 'terminal');
  }

  async #runTools(calls: readonly ToolCall[]): Promise<void> {
    const services = this.#services;
    const agent = services.agents.find(this.#session.agent_id);
    const tools = (agent && agentVersion(agent, this.#session.agent_version)?.tools) ?? [];
    const signal = AbortSignal.any([this.#interrupt.signal, this.#stopSignal]);
    // Each call adds a listener; Node warns about more than ten.
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
      await this.#withAllowances([...(error ? [error] : []), idle(reason)]),
    );
  }
}
