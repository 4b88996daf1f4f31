import type { Allowance } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import { maximumUsage } from '../agent-models/estimate-usage.ts';
import type { ModelRequest, ModelUsage } from '../agent-models/model.ts';
import { priceNameOf, priceOf } from '../agent-models/price.ts';
import { type AgentKey, policyOf } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { dayMs, isoTime, secondsToNextUtcDay, utcDay } from '../clock.ts';
import type { ModelConfig } from '../config/model.ts';
import { isPriced } from '../config/unpriced-models.ts';
import { type DailyQuota, quotasOfVisitor } from '../limits/daily-quotas.ts';
import { availablePart, classify, readDay, toMicrocents } from '../limits/key-reserve.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { type ReservationRequest, Reservations } from './reservations.ts';

export const microcentsPerCent = 1_000_000;

/** The budget that is used up: of the session, or of its publishable key or its user for this day. */
export type UsedUpBudget = 'session_budget' | 'daily_budget';

/** Money reserved for one model call. */
export interface Reservation {
  /**
   * Replaces the reservation by the actual cost, on the UTC day on which the call was admitted. Call
   * it in the transaction that appends the output; without `transaction` if no output is appended,
   * because the model call costs money even then.
   */
  settle(usage: ModelUsage, transaction?: Transaction<Schema>): Promise<void>;
}

/** Fields of a session that identify its user. Without a publishable key, the user is signed in. */
type Visitor = Pick<SessionsTable, 'agent_id' | 'publishable_key' | 'external_user_id' | 'source'>;

type Spender = Pick<SessionsTable, 'id' | 'budget_cents' | 'spent_microcents'> & Visitor;

interface SpendingServices
  extends Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'config' | 'log'> {
  readonly agents: AgentRegistry;
}

/** Records the cost of model calls, and enforces the budgets. */
export class Spending {
  readonly #services: SpendingServices;
  readonly #reservations: Reservations;

  constructor(services: SpendingServices) {
    this.#services = services;
    this.#reservations = new Reservations(services);
  }

  /** Returns a budget of the session that is used up; null if there is none. */
  async #usedUpBudget(session: Spender): Promise<UsedUpBudget | null> {
    const row = await this.#services.store.db
      .selectFrom('sessions')
      .select(['budget_cents', 'spent_microcents'])
      .where('id', '=', session.id)
      .executeTakeFirst();
    // A session that is about to be created has no row yet.
    const { budget_cents: budget, spent_microcents: spent } = row ?? session;
    if (budget !== null && Number(spent) >= budget * microcentsPerCent) return 'session_budget';
    return (await this.#isDailyBudgetReached(session)) ? 'daily_budget' : null;
  }

  /**
   * Throws if a budget is used up. Call it before accepting a message that needs a model.
   *
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
    const usedUp = await this.#usedUpBudget(session);
    if (usedUp) return usedUp;
    const day = await this.#dailyBudgetFor(session);
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
    const maximum = this.#costOf(model, maximumUsage(request, model));
    // Without a budget there is nothing to reserve.
    const id =
      isBounded && maximum > 0
        ? await this.#reservations.reserve({
            leaseId,
            sessionId: session.id,
            microcents: maximum,
            day,
            user,
          })
        : undefined;
    if (id === null) return (await this.#usedUpBudget(session)) ?? 'wait';
    return {
      settle: (usage, transaction) =>
        transaction
          ? this.#settle(transaction, session, id, model, usage)
          : this.#services.store.transaction((ownTransaction) =>
              this.#settle(ownTransaction, session, id, model, usage),
            ),
    };
  }

  /**
   * Releases the reservations of dead processes, which `reserve` does only when a budget has no room
   * left, and deletes old rows.
   */
  cleanUp(): Promise<void> {
    return this.#reservations.cleanUp();
  }

  async #settle(
    transaction: Transaction<Schema>,
    session: Spender,
    reservationId: string | undefined,
    model: ModelConfig,
    usage: ModelUsage,
  ): Promise<void> {
    const cost = this.#costOf(model, usage);
    await transaction
      .updateTable('sessions')
      .set((eb) => ({
        input_tokens: eb('input_tokens', '+', usage.inputTokens),
        output_tokens: eb('output_tokens', '+', usage.outputTokens),
        ...(!reservationId && { spent_microcents: eb('spent_microcents', '+', cost) }),
      }))
      .where('id', '=', session.id)
      .execute();
    if (reservationId) {
      await this.#reservations.settle(transaction, reservationId, session.id, cost);
    }
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

  async #dailyBudgetFor(visitor: Visitor): Promise<ReservationRequest['day'] | 'key_deleted'> {
    const key = visitor.publishable_key;
    if (key === null) return null;
    const found = this.#services.agents.findPublishableKey(key);
    if (!found) return 'key_deleted';
    return {
      publishableKey: key,
      day: utcDay(this.#services.clock.now()),
      budgetMicrocents: await this.#availableSpend(found, visitor),
      quotas: quotasFor(found.publishableKey, visitor),
    };
  }

  /** The part of the key's daily budget that this visitor may use. */
  async #availableSpend(
    { agent, publishableKey }: NonNullable<ReturnType<AgentRegistry['findPublishableKey']>>,
    { external_user_id: externalUserId, source }: Visitor,
  ): Promise<number> {
    const { store } = this.#services;
    const visitor = { externalUserId, source };
    const found = await classify(this.#services, store.db, agent.id, publishableKey, visitor);
    return availablePart(publishableKey, found).spendMicrocents;
  }

  #costOf(model: ModelConfig, usage: ModelUsage): number {
    const price = this.#services.config.prices[priceNameOf(model)];
    return price ? priceOf(usage, price) : 0;
  }

  /** The used parts of the budgets of a session and of the day. Empty if no budget applies. */
  async allowances(session: Pick<Spender, 'id'> & Visitor): Promise<Allowance[]> {
    const row = await this.#services.store.db
      .selectFrom('sessions')
      .select(['budget_cents', 'spent_microcents'])
      .where('id', '=', session.id)
      .executeTakeFirst();
    const day = await this.dailyAllowances(session);
    if (row?.budget_cents == null) return day;
    const used = usedPart(
      Number(row.spent_microcents),
      Number(row.budget_cents) * microcentsPerCent,
    );
    return [{ type: 'session', used, resets_at: null }, ...day];
  }

  /**
   * The used part of the daily budget of the user, or of the visitor, its networks and the publishable
   * key, whichever is used most. Empty without such a budget.
   */
  async dailyAllowances(visitor: Visitor): Promise<Allowance[]> {
    const budgets = await this.#spendingOfDay(visitor);
    if (budgets.length === 0) return [];
    const now = this.#services.clock.now();
    const resetsAt = isoTime(Date.parse(utcDay(now)) + dayMs);
    const used = Math.max(...budgets.map(({ spent, budget }) => usedPart(spent, budget)));
    return [{ type: 'day', used, resets_at: resetsAt }];
  }

  async #isDailyBudgetReached(visitor: Visitor): Promise<boolean> {
    return (await this.#spendingOfDay(visitor)).some(({ spent, budget }) => spent >= budget);
  }

  /**
   * Today's cost and budget of the signed-in user, or of the publishable key, the visitor and its
   * networks, in micro-cents. Empty without a daily budget, or if the key was deleted.
   */
  async #spendingOfDay(visitor: Visitor): Promise<{ spent: number; budget: number }[]> {
    const { agents, clock, store } = this.#services;
    const user = this.#userBudgetFor(visitor);
    if (user) {
      const row = await store.db
        .selectFrom('end_user_days')
        .select('spent_microcents')
        .where('agent_id', '=', user.agentId)
        .where('external_user_id', '=', user.externalUserId)
        .where('day', '=', user.day)
        .executeTakeFirst();
      return [{ spent: Number(row?.spent_microcents ?? 0), budget: user.budgetMicrocents }];
    }
    const key = visitor.publishable_key;
    const found = key === null ? null : agents.findPublishableKey(key);
    if (key === null || !found) return [];
    const quotas = quotasFor(found.publishableKey, visitor);
    const subjects = quotas.map(({ subject }) => subject);
    const used = await readDay(store.db, key, utcDay(clock.now()), subjects);
    return [
      { spent: used.key.spentMicrocents, budget: await this.#availableSpend(found, visitor) },
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
