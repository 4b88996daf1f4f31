/**
 * An event, from a user's message to the browsers:
 *
 * 1. A message is appended to the session's log. `run-engine.ts` takes the session's lease, and starts
 *    a `Run`.
 * 2. The run reads the log, and `plan.ts` derives the next step: a model call, a tool call, or the end.
 * 3. `model-turn.ts` asks the model, and passes each fragment of the answer to a `LivePart`, which
 *    publishes it on the bus: the first one at once, later ones every 25 ms. Fragments are not stored.
 * 4. Whole events go through `run-log.ts`, which checks the lease, to the store, and then to the bus.
 * 5. Each process writes what the bus delivers to the streams of its readers, and disconnects readers
 *    that do not read (`stream/`).
 */

import { agentVersion } from '../agents/agent.ts';
import type { Services } from '../deps.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { type EventLog, LogMovedError } from '../events/event-log.ts';
import { describeError, redact } from '../log/logger.ts';
import { createModel } from '../models/create-model.ts';
import type { ModelError, ModelUsage } from '../models/model.ts';
import { sleep } from '../ports/clock.ts';
import type { SessionsTable } from '../store/schema.ts';
import type { Call } from './calls.ts';
import { endingOf } from './ending.ts';
import { finalEvents, idle } from './final-events.ts';
import type { LoadAttachment } from './history.ts';
import type { Lease, Leases } from './leases.ts';
import { LivePart } from './live-part.ts';
import { toQuestion } from './model-request.ts';
import { askModel } from './model-turn.ts';
import { isOver, isRunOpen, nextStep, type Step } from './plan.ts';
import * as errors from './run-errors.ts';
import { RunLog } from './run-log.ts';
import type { Spending } from './spending.ts';
import { runTool, toolResult } from './tool-runner.ts';

/** Attempts at one model call, the first included. */
const maxAttempts = 3;
/** Milliseconds before the second attempt; doubled before the third. */
const firstBackoff = 500;
/** Milliseconds before it is asked again whether calls under way have left room in a day's cap. */
const waitForRoom = 500;
/** Model calls in one run. An agent that calls tools for ever must come to an end. */
const maxModelCalls = 32;
/** Processes that may die of one run before it is given up. */
const maxTakeovers = 5;

/** Of a model that was not asked after all. */
const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0, estimated: false };

type GiveUpReason = 'budget_reached' | 'retries_exhausted';

export interface RunDeps {
  readonly services: Pick<
    Services,
    'agents' | 'baseUrl' | 'bus' | 'clock' | 'config' | 'log' | 'random' | 'secret'
  >;
  readonly events: EventLog;
  readonly leases: Leases;
  readonly spending: Spending;
  readonly loadAttachment: (session: SessionsTable) => LoadAttachment;
}

/** The run needs a model or a tool, and was taken only to stop what waits. */
export class QueuedError extends Error {
  override readonly name = 'QueuedError';
}

/** The work on one session, from what it finds in the log to the idle that ends it. */
export class Run {
  readonly #session: SessionsTable;
  readonly #lease: Lease;
  readonly #mayWork: boolean;
  readonly #isCurrent: () => boolean;
  readonly #log: RunLog;
  readonly #deps: RunDeps;
  /** Aborted where this process has to let go: it is stopping, or lost the lease. */
  readonly #letGo: AbortSignal;
  #interrupt = new AbortController();
  /** The latest interrupt that the run was told of, by its place in the log. */
  #interruptedAt = 0;
  #part: LivePart | null = null;
  #attempt = 0;
  #failed = false;
  #modelCalls = 0;

  /**
   * @param right.mayWork False for a run that is beyond the limits: it rejects instead of working.
   * @param right.isCurrent False once the lease may have expired.
   */
  constructor(
    session: SessionsTable,
    right: { lease: Lease; mayWork: boolean; isCurrent: () => boolean },
    letGo: AbortSignal,
    deps: RunDeps,
  ) {
    this.#session = session;
    this.#lease = right.lease;
    this.#mayWork = right.mayWork;
    this.#isCurrent = right.isCurrent;
    this.#letGo = letGo;
    this.#deps = deps;
    this.#log = new RunLog(right.lease, deps);
  }

  /** Stops what goes on now, unless the run has this interrupt in view already. */
  interrupt(seq: number): void {
    if (seq <= this.#log.lastSeq) return;
    this.#interruptedAt = Math.max(this.#interruptedAt, seq);
    this.#interrupt.abort();
  }

  /** Looks into the log itself, for an interrupt that nobody told of. */
  async look(): Promise<void> {
    const unseen = await this.#deps.events.read(this.#session.id, { after: this.#log.lastSeq });
    for (const event of unseen) if (event.type === 'user.interrupt') this.interrupt(event.seq);
  }

  /** Sends the event being produced again, for readers that missed its beginning. */
  repeatLive(): void {
    this.#part?.repeat();
  }

  /**
   * Ends when the lease is released, or rejects when this process must not go on.
   *
   * @throws QueuedError Where there is work, and the run may not do any.
   */
  async perform(): Promise<void> {
    // Before the log is read, because reading it may have crashed the other processes.
    if (this.#lease.attempt > maxTakeovers) return this.#abandon();
    let isTakenOver = false;
    for (;;) {
      await this.#log.refresh();
      // One that was told of while the log was read is in view now, and stops nothing that follows it.
      if (this.#interruptedAt <= this.#log.lastSeq) this.#interrupt = new AbortController();
      this.#letGo.throwIfAborted();
      try {
        if (!isTakenOver) await this.#takeOver();
        isTakenOver = true;
        if (await this.#act(nextStep(this.#log.seen))) return;
      } catch (error) {
        // Something came in meanwhile: think again, with it in view.
        if (!(error instanceof LogMovedError)) throw error;
      }
    }
  }

  /** Ends a run of which too many processes died, without having read its log. */
  async #abandon(): Promise<void> {
    await this.#log.abandon([errors.abandonedError(), idle('retries_exhausted')]);
  }

  /** Tells readers that the process that had this run died. */
  async #takeOver(): Promise<void> {
    if (isOver(this.#log.seen)) return;
    if (this.#lease.attempt > 1 && isRunOpen(this.#log.seen)) {
      await this.#log.appendIfUnmoved([
        { type: 'session.status_rescheduled' },
        { type: 'session.status_running' },
      ]);
    }
  }

  /** True when the run is over. */
  async #act(step: Step): Promise<boolean> {
    const isWork = step.type === 'run_tools' || step.type === 'ask_model';
    if (isWork && !this.#mayWork) throw new QueuedError();
    switch (step.type) {
      case 'refuse':
        await this.#begin();
        await this.#log.append(step.calls.map((call) => toolResult(call.id, call.result, true)));
        return false;
      case 'run_tools':
        await this.#begin();
        await this.#runTools(step.calls);
        return false;
      case 'ask_model':
        await this.#begin();
        if (step.repeat && this.#failed) await this.#giveUp();
        else await this.#askModel();
        return false;
      case 'wait':
      case 'rest':
        await this.#log.finish(await this.#withAllowances(finalEvents(this.#log.seen, step)));
        return true;
    }
  }

  /** Not after something unseen: a conversation that was ended meanwhile does not begin again. */
  async #begin(): Promise<void> {
    if (isRunOpen(this.#log.seen)) return;
    await this.#log.appendIfUnmoved([{ type: 'session.status_running' }]);
  }

  /** An idle says what is used up. */
  async #withAllowances(drafts: readonly EventDraft[]): Promise<EventDraft[]> {
    if (!drafts.some(({ type }) => type === 'session.status_idle')) return [...drafts];
    const allowances = await this.#deps.spending.allowances(this.#session);
    return drafts.map((draft) =>
      draft.type === 'session.status_idle' && allowances.length > 0
        ? { ...draft, allowances }
        : draft,
    );
  }

  async #askModel(): Promise<void> {
    const { services, spending } = this.#deps;
    const session = this.#session;
    const agent = services.agents.find(session.agent_id);
    const question = await toQuestion(
      this.#log.seen,
      session,
      agent,
      this.#deps.loadAttachment(session),
    );
    if (!question) return this.#giveUp(errors.agentGoneError());
    if (this.#modelCalls >= maxModelCalls) return this.#giveUp(errors.endlessError());
    const { model } = question;
    const reservation = await spending.reserve(session, question, this.#lease.id);
    if (reservation === 'wait') return this.#pause(waitForRoom);
    if (typeof reservation === 'string') {
      return this.#giveUp(errors.spendingError(reservation), 'budget_reached');
    }
    const start = this.#deps.events.newEventId();
    try {
      // What came in meanwhile is not in the question, and must not look as if it were.
      await this.#log.appendIfUnmoved([{ type: 'span.model_request_start', id: start }]);
    } catch (error) {
      await reservation.settle(noUsage);
      throw error;
    }
    this.#modelCalls += 1;
    this.#attempt += 1;
    const signal = AbortSignal.any([this.#interrupt.signal, this.#letGo]);
    const outcome = await askModel(createModel(model, services), question.request, signal, {
      newEventId: () => this.#deps.events.newEventId(),
      openPart: (event) => {
        this.#part = new LivePart(session.id, event, services, this.#isCurrent);
        return this.#part;
      },
      append: (drafts) => this.#log.append(drafts),
      tools: question.tools,
      builtIns: question.builtIns,
      log: services.log,
    });
    this.#part = null;
    const { error, usage } = outcome;
    const again =
      error?.kind === 'failed' &&
      error.retryable &&
      !outcome.hasOutput &&
      this.#attempt < maxAttempts;
    try {
      // What was said half is dropped: whoever takes the run up asks again.
      this.#letGo.throwIfAborted();
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
          ...(error ? [this.#failure(error, again)] : []),
        ],
        (transaction) => reservation.settle(usage, transaction),
      );
    } catch (failure) {
      await reservation.settle(usage);
      throw failure;
    }
    this.#failed = error !== null && !again;
    if (again) {
      await this.#pause(firstBackoff * 2 ** (this.#attempt - 1));
    } else {
      this.#attempt = 0;
    }
  }

  /** Ends early where the run is interrupted, or has to be let go of. */
  #pause(milliseconds: number): Promise<void> {
    const signal = AbortSignal.any([this.#interrupt.signal, this.#letGo]);
    return sleep(this.#deps.services.clock, milliseconds, signal);
  }

  #failure(error: ModelError, again: boolean): EventDraft {
    this.#deps.services.log.warn('model call failed', {
      session: this.#session.id,
      attempt: this.#attempt,
      retryable: error.retryable,
      error: redact(error.message),
      ...(error.cause !== undefined && describeError(error.cause)),
    });
    if (again) return errors.modelError('retrying');
    if (error.kind === 'stalled') return errors.stalledError();
    if (error.kind === 'too_long') return errors.tooLongError();
    return errors.modelError(error.retryable ? 'exhausted' : 'terminal');
  }

  async #runTools(calls: readonly Call[]): Promise<void> {
    const { services } = this.#deps;
    const agent = services.agents.find(this.#session.agent_id);
    const tools = (agent && agentVersion(agent, this.#session.agent_version)?.tools) ?? [];
    const signal = AbortSignal.any([this.#interrupt.signal, this.#letGo]);
    const endings: string[] = [];
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
            endConversation: (reason = '') => void endings.push(String(reason)),
          },
          services,
        );
        if (result && !this.#letGo.aborted) await this.#log.append([result]);
      }),
    );
    const [reason] = endings;
    if (reason === undefined || this.#letGo.aborted) return;
    await this.#log.append((transaction) => endingOf(transaction, this.#session.id, reason));
  }

  /** Leaves what was asked without an answer, unless something came in that may change that. */
  async #giveUp(error?: EventDraft, reason: GiveUpReason = 'retries_exhausted'): Promise<void> {
    await this.#log.appendIfUnmoved(
      await this.#withAllowances([...(error ? [error] : []), idle(reason)]),
    );
  }
}
