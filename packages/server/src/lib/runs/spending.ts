import type { Allowance } from '@inlay/protocol';
import type { Kysely, Transaction } from 'kysely';
import { maximumUsage } from '../agent-models/estimate-usage.ts';
import type { ModelRequest, ModelUsage } from '../agent-models/model.ts';
import { priceNameOf, priceOf } from '../agent-models/price.ts';
import { type AgentKey, policyOf } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { dayMs, isoTime, secondsToNextUtcDay, utcDay } from '../clock.ts';
import type { ModelConfig } from '../config/model.ts';
import { isPriced } from '../config/unpriced-models.ts';
import { type LockedSession, lockSession } from '../events/lock-session.ts';
import { changeSession, type SessionChanges } from '../events/update-session-row.ts';
import { type DailyQuota, quotasOfVisitor } from '../limits/daily-quotas.ts';
import { availablePart, classify, readDay, toMicrocents } from '../limits/key-reserve.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import { prepare } from '../store/prepared.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { addUsage } from '../usage/count-usage.ts';
import { OverBudgetError, type ReservationRequest, Reservations } from './reservations.ts';

export const microcentsPerCent = 1_000_000;

/** The budget that is used up: of the session, or of its publishable key or its user for this day. */
export type UsedUpBudget = 'session_budget' | 'daily_budget';

/** Money reserved for one model call. */
export interface Reservation {
  /**
   * Replaces the reservation by the actual cost, on the UTC day on which the call was admitted, in the
   * transaction that appends the output, which has locked the session.
   *
   * @returns The changes of the session that the caller must write.
   */
  settleIn(transaction: Transaction<Schema>, usage: ModelUsage): Promise<SessionChanges>;
  /** Settles when no output is appended, because the model call costs money even then. */
  settle(usage: ModelUsage): Promise<void>;
  /** The cost of a usage in micro-cents. */
  costOf(usage: ModelUsage): number;
}

/** A call cannot be reserved at once. Thrown to roll the transaction back. */
export class NotReservedError extends Error {
  override readonly name = 'NotReservedError';
}

/** A call whose cost can be reserved. */
type Reservable = Omit<ReservationRequest, 'leaseId' | 'sessionId'>;

/** Fields of a session that identify its user. Without a publishable key, the user is signed in. */
type Visitor = Pick<SessionsTable, 'agent_id' | 'publishable_key' | 'external_user_id' | 'source'>;

type Spender = Pick<SessionsTable, 'id' | 'agent_version' | 'budget_cents' | 'spent_microcents'> &
  Visitor;

interface SpendingServices
  extends Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'config' | 'log'> {
  readonly agents: AgentRegistry;
}

const findUserSpending = prepare((db) =>
  db
    .selectFrom('end_user_days')
    .select('spent_microcents')
    .where('agent_id', '=', '')
    .where('external_user_id', '=', '')
    .where('day', '=', ''),
);

/** Records the cost of model calls, and enforces the budgets. */
export class Spending {
  readonly #services: SpendingServices;
  readonly #reservations: Reservations;

  constructor(services: SpendingServices) {
    this.#services = services;
    this.#reservations = new Reservations(services);
  }

  /** Returns a budget that is used up; null if there is none. */
  async #usedUpBudget(session: Spender): Promise<UsedUpBudget | null> {
    const { budget_cents: budget, spent_microcents: spent } = session;
    if (budget !== null && Number(spent) >= Number(budget) * microcentsPerCent) {
      return 'session_budget';
    }
    return (await this.#isDailyBudgetReached(session)) ? 'daily_budget' : null;
  }

  /** The session with its current cost. */
  async #refreshed(session: Spender): Promise<Spender> {
    const row = await this.#services.store.db
      .selectFrom('sessions')
      .select(['budget_cents', 'spent_microcents'])
      .where('id', '=', session.id)
      .executeTakeFirst();
    return { ...session, ...row };
  }

  /**
   * Throws if a budget is used up. Call it before accepting a message that needs a model.
   *
   * @param session As it was read for the request.
   * @throws ApiError `EMBED_BUDGET_EXCEEDED` for the budget of the session, `EMBED_QUOTA_EXCEEDED`
   *   for the daily budget.
   */
  async assertMaySpend(session: Spender): Promise<void> {
    const budget = await this.#usedUpBudget(session);
    if (budget === 'session_budget') throw new ApiError('EMBED_BUDGET_EXCEEDED');
    if (budget === 'daily_budget') {
      throw new ApiError('EMBED_QUOTA_EXCEEDED', undefined, {
        retryAfter: secondsToNextUtcDay(this.#services.clock.now()),
      });
    }
  }

  /**
   * Reserves the maximum cost of a call before the model is called (see `Reservations`).
   *
   * @returns The reservation; the budget that is used up; or `wait` if other calls have reserved the
   *   rest of a budget. These calls usually cost less than they reserved, so there may be room when
   *   they end.
   */
  async reserve(
    session: Spender,
    { model, request }: { model: ModelConfig; request: ModelRequest },
    leaseId: string,
  ): Promise<Reservation | UsedUpBudget | 'wait'> {
    const usedUp = await this.#usedUpBudget(await this.#refreshed(session));
    if (usedUp) return usedUp;
    const reservable = await this.#reservableFor(this.#services.store.db, session, {
      model,
      request,
    });
    if (typeof reservable === 'string') return reservable;
    if (!reservable) return this.#reservation(session, model, null);
    const id = await this.#reservations.reserve({
      ...reservable,
      leaseId,
      sessionId: session.id,
    });
    if (id === null) return (await this.#usedUpBudget(await this.#refreshed(session))) ?? 'wait';
    return this.#reservation(session, model, id);
  }

  /**
   * Prepares the reservation of a call in a transaction that has locked the session.
   *
   * @returns A function that reserves in the same transaction. It returns the changes of the session
   *   that the caller must write, and throws `NotReservedError` if there is no room.
   * @throws NotReservedError If a budget is used up.
   */
  async prepareReservation(
    transaction: Transaction<Schema>,
    session: Spender & LockedSession,
    prepared: { model: ModelConfig; request: ModelRequest },
    leaseId: string,
  ): Promise<() => Promise<{ reservation: Reservation; changes: SessionChanges }>> {
    const reservable = await this.#reservableFor(transaction, session, prepared);
    if (typeof reservable === 'string') throw new NotReservedError();
    const { model } = prepared;
    return async () => {
      if (!reservable) return { reservation: this.#reservation(session, model, null), changes: {} };
      const request = { ...reservable, leaseId, sessionId: session.id };
      try {
        const { id, changes } = await this.#reservations.reserveIn(transaction, session, request);
        return { reservation: this.#reservation(session, model, id), changes };
      } catch (error) {
        if (error instanceof OverBudgetError) throw new NotReservedError();
        throw error;
      }
    };
  }

  /**
   * Computes the amounts to reserve for a call. Returns null if no budget applies, or the name of a
   * budget that is used up.
   */
  async #reservableFor(
    db: Kysely<Schema>,
    session: Spender,
    { model, request }: { model: ModelConfig; request: ModelRequest },
  ): Promise<Reservable | UsedUpBudget | null> {
    const day = await this.#dailyBudgetFor(db, session);
    if (day === 'key_deleted') return 'daily_budget';
    const user = this.#userBudgetFor(session);
    const isBounded = session.budget_cents !== null || day !== null || user !== null;
    // The configuration rejects a budget with such a model, but an older version may have stored it.
    if (isBounded && !isPriced(model, this.#services.config.prices)) {
      this.#services.log.error('a model without a price was not called: add it to `prices`', {
        session: session.id,
        model: priceNameOf(model),
      });
      return session.budget_cents !== null ? 'session_budget' : 'daily_budget';
    }
    const microcents = this.#costOf(model, maximumUsage(request, model));
    return isBounded && microcents > 0 ? { microcents, day, user } : null;
  }

  /** @param id Null if nothing was reserved. */
  #reservation(session: Spender, model: ModelConfig, id: string | null): Reservation {
    const { id: sessionId } = session;
    const costOf = (usage: ModelUsage) => this.#costOf(model, usage);
    const settleIn = async (
      transaction: Transaction<Schema>,
      usage: ModelUsage,
    ): Promise<SessionChanges> => {
      const settled =
        id === null
          ? { spentMicrocents: costOf(usage) }
          : await this.#reservations.settle(transaction, id, costOf(usage));
      return { ...settled, inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
    };
    return {
      settleIn,
      settle: (usage) =>
        this.#services.store.transaction(async (transaction) => {
          await lockSession(transaction, sessionId);
          await changeSession(transaction, sessionId, await settleIn(transaction, usage));
          const place = { day: utcDay(this.#services.clock.now()), model: priceNameOf(model) };
          await addUsage(transaction, session, place, {
            input_tokens: usage.inputTokens,
            output_tokens: usage.outputTokens,
            spent_microcents: costOf(usage),
          });
        }),
      costOf,
    };
  }

  /**
   * Releases the reservations of dead processes, which `reserve` does only when a budget has no room
   * left, and deletes old rows.
   */
  cleanUp(): Promise<void> {
    return this.#reservations.cleanUp();
  }

  /** The daily budget of a signed-in user; null for a visitor, and without such a budget. */
  #userBudgetFor({
    agent_id: agentId,
    publishable_key: key,
    external_user_id: externalUserId,
  }: Visitor): NonNullable<ReservationRequest['user']> | null {
    const agent = key === null ? this.#services.agents.find(agentId) : null;
    const cents = agent ? policyOf(agent).spend_cents_per_user_per_day : null;
    if (cents === null) return null;
    const day = utcDay(this.#services.clock.now());
    return { agentId, externalUserId, day, budgetMicrocents: toMicrocents(cents) };
  }

  async #dailyBudgetFor(
    db: Kysely<Schema>,
    visitor: Visitor,
  ): Promise<ReservationRequest['day'] | 'key_deleted'> {
    const key = visitor.publishable_key;
    if (key === null) return null;
    const found = this.#services.agents.findPublishableKey(key);
    if (!found) return 'key_deleted';
    return {
      publishableKey: key,
      day: utcDay(this.#services.clock.now()),
      budgetMicrocents: await this.#availableSpend(db, found, visitor),
      quotas: quotasFor(found.publishableKey, visitor),
    };
  }

  /** The part of the key's daily budget that this visitor may use. */
  async #availableSpend(
    db: Kysely<Schema>,
    { agent, publishableKey }: NonNullable<ReturnType<AgentRegistry['findPublishableKey']>>,
    { external_user_id: externalUserId, source }: Visitor,
  ): Promise<number> {
    const visitor = { externalUserId, source };
    const found = await classify(this.#services, db, agent.id, publishableKey, visitor);
    return availablePart(publishableKey, found).spendMicrocents;
  }

  #costOf(model: ModelConfig, usage: ModelUsage): number {
    const price = this.#services.config.prices[priceNameOf(model)];
    return price ? priceOf(usage, price) : 0;
  }

  /** The used parts of the budgets of a session and of the day. Empty if no budget applies. */
  async allowances(session: Spender): Promise<Allowance[]> {
    const { db } = this.#services.store;
    return this.allowancesIn(db, await this.#refreshed(session), 0);
  }

  /**
   * Like `allowances`, for a session that was just read.
   *
   * @param cost The cost of a call that is not settled yet, in micro-cents.
   */
  async allowancesIn(db: Kysely<Schema>, session: Spender, cost: number): Promise<Allowance[]> {
    const day = await this.#dailyAllowances(db, session, cost);
    if (session.budget_cents === null) return day;
    const budget = Number(session.budget_cents) * microcentsPerCent;
    const used = usedPart(Number(session.spent_microcents) + cost, budget);
    return [{ type: 'session', used, resets_at: null }, ...day];
  }

  /**
   * The used part of the daily budget of the user, or of the visitor, its networks and the publishable
   * key, whichever is used most. Empty without such a budget.
   */
  dailyAllowances(visitor: Visitor): Promise<Allowance[]> {
    return this.#dailyAllowances(this.#services.store.db, visitor, 0);
  }

  async #dailyAllowances(db: Kysely<Schema>, visitor: Visitor, cost: number): Promise<Allowance[]> {
    const budgets = await this.#spendingOfDay(db, visitor);
    if (budgets.length === 0) return [];
    const now = this.#services.clock.now();
    const resetsAt = isoTime(Date.parse(utcDay(now)) + dayMs);
    const used = Math.max(...budgets.map(({ spent, budget }) => usedPart(spent + cost, budget)));
    return [{ type: 'day', used, resets_at: resetsAt }];
  }

  async #isDailyBudgetReached(visitor: Visitor): Promise<boolean> {
    const { db } = this.#services.store;
    return (await this.#spendingOfDay(db, visitor)).some(({ spent, budget }) => spent >= budget);
  }

  /**
   * Today's cost and budget of the signed-in user, or of the publishable key, the visitor and its
   * networks, in micro-cents. Empty without a daily budget, or if the key was deleted.
   */
  async #spendingOfDay(
    db: Kysely<Schema>,
    visitor: Visitor,
  ): Promise<{ spent: number; budget: number }[]> {
    const { agents, clock } = this.#services;
    const user = this.#userBudgetFor(visitor);
    if (user) {
      const [row] = await findUserSpending(db, user.agentId, user.externalUserId, user.day);
      return [{ spent: Number(row?.spent_microcents ?? 0), budget: user.budgetMicrocents }];
    }
    const key = visitor.publishable_key;
    const found = key === null ? null : agents.findPublishableKey(key);
    if (key === null || !found) return [];
    const quotas = quotasFor(found.publishableKey, visitor);
    const subjects = quotas.map(({ subject }) => subject);
    const used = await readDay(db, key, utcDay(clock.now()), subjects);
    return [
      { spent: used.key.spentMicrocents, budget: await this.#availableSpend(db, found, visitor) },
      ...quotas.map(({ subject, spendMicrocents }) => ({
        spent: used.shares.get(subject)?.spentMicrocents ?? 0,
        budget: spendMicrocents,
      })),
    ];
  }
}

function quotasFor(key: AgentKey, { external_user_id, source }: Visitor): DailyQuota[] {
  return quotasOfVisitor(key, { externalUserId: external_user_id, source });
}

/** The used part of a budget, from 0 to 1. A budget of 0 is always used up. */
function usedPart(spent: number, budget: number): number {
  return budget === 0 ? 1 : Math.min(1, spent / budget);
}
