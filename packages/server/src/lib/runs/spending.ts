import type { Allowance } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { AgentKey } from '../agents/agent.ts';
import type { ModelConfig } from '../config/model.ts';
import { isPriced } from '../config/unpriced-models.ts';
import type { Services } from '../deps.ts';
import { type Share, sharesOfVisitor } from '../limits/daily-allowance.ts';
import { mostUsage } from '../models/estimate-usage.ts';
import type { ModelRequest, ModelUsage } from '../models/model.ts';
import { priceNameOf, priceOf } from '../models/price.ts';
import { isoTime, secondsToNextUtcDay, utcDay } from '../ports/clock.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { type Claim, Reservations } from './reservations.ts';

/** Micro-cents in a cent. */
export const microcents = 1_000_000;

/** Why no more may be spent: by the session's own budget, or by the day's cap of its visitors' key. */
export type SpendingLimit = 'budget' | 'daily_cap';

/** What is set aside for one model call. */
export interface Reservation {
  /**
   * Counts what the call really used, in the place of what was set aside: inside the transaction
   * that writes down what it gave, and in one of its own where nothing will be written down, since
   * it has cost all the same. A call counts for the UTC day on which it was let in.
   */
  settle(usage: ModelUsage, transaction?: Transaction<Schema>): Promise<void>;
}

/** The visitor whose day a call counts for; none without a publishable key. */
type Visitor = Pick<SessionsTable, 'publishable_key' | 'external_user_id' | 'source'>;

type Spender = Pick<SessionsTable, 'id' | 'budget_cents' | 'spent_microcents'> & Visitor;

type SpendingServices = Pick<Services, 'store' | 'clock' | 'random' | 'agents' | 'config' | 'log'>;

/** Counts what models cost, and says when it is enough. */
export class Spending {
  readonly #services: SpendingServices;
  readonly #reservations: Reservations;

  constructor(services: SpendingServices) {
    this.#services = services;
    this.#reservations = new Reservations(services);
  }

  /** The limit that was reached; null while there is something left. */
  async limitReached(session: Spender): Promise<SpendingLimit | null> {
    const row = await this.#services.store.db
      .selectFrom('sessions')
      .select(['budget_cents', 'spent_microcents'])
      .where('id', '=', session.id)
      .executeTakeFirst();
    // A session that is about to be created has no row yet.
    const { budget_cents: budget, spent_microcents: spent } = row ?? session;
    if (budget !== null && Number(spent) >= budget * microcents) return 'budget';
    return (await this.#isDailyCapReached(session)) ? 'daily_cap' : null;
  }

  /** For a message that would need a model: throws the problem that tells the person why not. */
  async assertMaySpend(session: Spender): Promise<void> {
    const limit = await this.limitReached(session);
    if (limit === 'budget') throw new ApiError('EMBED_BUDGET_EXCEEDED');
    if (limit === 'daily_cap') {
      throw new ApiError('EMBED_QUOTA_EXCEEDED', undefined, {
        retryAfter: secondsToNextUtcDay(this.#services.clock.now()),
      });
    }
  }

  /**
   * Sets aside what a call may cost at most, before the model is asked (see `Reservations`). Gives
   * the limit instead where that is reached, and `wait` where others hold what is left: they will
   * have cost less than was set aside for them, so there may be room when they end.
   */
  async reserve(
    session: Spender,
    { model, request }: { model: ModelConfig; request: ModelRequest },
    leaseId: string,
  ): Promise<Reservation | SpendingLimit | 'wait'> {
    const limit = await this.limitReached(session);
    if (limit) return limit;
    const day = this.#dayFor(session);
    if (day === 'key_is_gone') return 'daily_cap';
    const isBounded = session.budget_cents !== null || day !== null;
    // The configuration refuses this; agents of the store may be older than the rule.
    if (isBounded && !isPriced(model, this.#services.config.prices)) {
      this.#services.log.error('a model without a price was not asked: add it to `prices`', {
        session: session.id,
        model: priceNameOf(model),
      });
      return session.budget_cents !== null ? 'budget' : 'daily_cap';
    }
    const most = this.#costOf(model, mostUsage(request, model));
    // Where nothing can be exceeded, nothing has to be set aside.
    const id =
      isBounded && most > 0
        ? await this.#reservations.take({ leaseId, sessionId: session.id, microcents: most, day })
        : undefined;
    if (id === null) return (await this.limitReached(session)) ?? 'wait';
    return {
      settle: (usage, transaction) =>
        transaction
          ? this.#settle(transaction, session, id, model, usage)
          : this.#services.store.transaction((own) => this.#settle(own, session, id, model, usage)),
    };
  }

  /** Gives back what processes held that died, for those who do not ask again. */
  tidy(): Promise<void> {
    return this.#reservations.tidy();
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

  #dayFor(visitor: Visitor): Claim['day'] | 'key_is_gone' {
    const key = visitor.publishable_key;
    if (key === null) return null;
    const found = this.#services.agents.findPublishableKey(key);
    if (!found) return 'key_is_gone';
    return {
      publishableKey: key,
      day: utcDay(this.#services.clock.now()),
      capMicrocents: found.publishableKey.spend_cents_per_day * microcents,
      shares: sharesFor(found.publishableKey, visitor),
    };
  }

  #costOf(model: ModelConfig, usage: ModelUsage): number {
    const price = this.#services.config.prices[priceNameOf(model)];
    return price ? priceOf(usage, price) : 0;
  }

  /** What a person has used up of what they may. Empty where nothing is bounded. */
  async allowances(session: Pick<Spender, 'id'> & Visitor): Promise<Allowance[]> {
    const row = await this.#services.store.db
      .selectFrom('sessions')
      .select(['budget_cents', 'spent_microcents'])
      .where('id', '=', session.id)
      .executeTakeFirst();
    const day = await this.dailyAllowances(session);
    if (row?.budget_cents == null) return day;
    const used = shareOf(Number(row.spent_microcents), Number(row.budget_cents) * microcents);
    return [{ type: 'session', used, resets_at: null }, ...day];
  }

  /**
   * How much of the day is used up: the visitor's own share, that of the source address, or the key's
   * day, whichever is fullest. Empty without a key.
   */
  async dailyAllowances(visitor: Visitor): Promise<Allowance[]> {
    const caps = await this.#dayOf(visitor);
    if (caps.length === 0) return [];
    const now = this.#services.clock.now();
    const resetsAt = isoTime(Date.parse(utcDay(now)) + 86_400_000);
    const used = Math.max(...caps.map(({ spent, cap }) => shareOf(spent, cap)));
    return [{ type: 'day', used, resets_at: resetsAt }];
  }

  async #isDailyCapReached(visitor: Visitor): Promise<boolean> {
    return (await this.#dayOf(visitor)).some(({ spent, cap }) => spent >= cap);
  }

  /** Today's spend in micro-cents, and its budget. Empty without a key, and for a deleted one. */
  async #dayOf(visitor: Visitor): Promise<{ spent: number; cap: number }[]> {
    const key = visitor.publishable_key;
    const found = key === null ? null : this.#services.agents.findPublishableKey(key);
    if (key === null || !found) return [];
    const day = utcDay(this.#services.clock.now());
    const row = await this.#services.store.db
      .selectFrom('publishable_key_days')
      .select('spent_microcents')
      .where('publishable_key', '=', key)
      .where('day', '=', day)
      .executeTakeFirst();
    const shares = sharesFor(found.publishableKey, visitor);
    const used = await this.#services.store.db
      .selectFrom('publishable_key_shares')
      .select(['subject', 'spent_microcents'])
      .where('publishable_key', '=', key)
      .where('day', '=', day)
      .where(
        'subject',
        'in',
        shares.map(({ subject }) => subject),
      )
      .execute();
    return [
      {
        spent: Number(row?.spent_microcents ?? 0),
        cap: found.publishableKey.spend_cents_per_day * microcents,
      },
      ...shares.map(({ subject, spendMicrocents }) => ({
        spent: Number(used.find((one) => one.subject === subject)?.spent_microcents ?? 0),
        cap: spendMicrocents,
      })),
    ];
  }
}

function sharesFor(key: AgentKey, { external_user_id, source }: Visitor): Share[] {
  return sharesOfVisitor(key, { externalUserId: external_user_id, source });
}

/** From 0 to 1. Of nothing, all is used up. */
function shareOf(spent: number, cap: number): number {
  return cap === 0 ? 1 : Math.min(1, spent / cap);
}
