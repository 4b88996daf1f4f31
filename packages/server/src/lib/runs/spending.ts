import type { Allowance } from '@inlay/protocol';
import type { Kysely } from 'kysely';
import type { ModelConfig } from '../config/model.ts';
import type { Services } from '../deps.ts';
import { reserveDailySpend, settleDailySpend } from '../limits/daily-allowance.ts';
import { estimateUsage } from '../models/estimate-usage.ts';
import type { ModelRequest, ModelUsage } from '../models/model.ts';
import { priceNameOf, priceOf } from '../models/price.ts';
import { isoTime, secondsToNextUtcDay, utcDay } from '../ports/clock.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';

/** Micro-cents in a cent. */
export const microcents = 1_000_000;

/** Tokens that an answer is expected to have, when its cost is set aside. */
const expectedOutputTokens = 500;

/** Why no more may be spent: by the session's own budget, or by the day's cap of its visitors' key. */
export type SpendingLimit = 'budget' | 'daily_cap';

/** What is set aside for one model call. */
export interface Reservation {
  /** Puts what it really cost in its place. */
  settle(usage: ModelUsage): Promise<void>;
}

type Spender = Pick<SessionsTable, 'id' | 'publishable_key' | 'budget_cents' | 'spent_microcents'>;

/** Counts what models cost, and says when it is enough. */
export class Spending {
  readonly #services: Pick<Services, 'store' | 'clock' | 'agents' | 'config'>;

  constructor(services: Pick<Services, 'store' | 'clock' | 'agents' | 'config'>) {
    this.#services = services;
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
    return (await this.#isDailyCapReached(session.publishable_key)) ? 'daily_cap' : null;
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
   * Sets aside what a call is likely to cost, before the model is asked, so that visitors who talk
   * at the same time cannot overspend together. Gives the limit instead where there is no room.
   */
  async reserve(
    session: Spender,
    { model, request }: { model: ModelConfig; request: ModelRequest },
  ): Promise<Reservation | SpendingLimit> {
    const limit = await this.limitReached(session);
    if (limit) return limit;
    const key = session.publishable_key;
    if (key === null) return { settle: async () => {} };
    if (!this.#services.agents.findPublishableKey(key)) return 'daily_cap';
    const expected = { ...estimateUsage(request, ''), outputTokens: expectedOutputTokens };
    const reserved = this.#costOf(model, expected);
    const day = await reserveDailySpend(this.#services, key, reserved);
    if (day === null) return 'daily_cap';
    return {
      settle: (usage) =>
        settleDailySpend(this.#services, {
          key,
          day,
          reserved,
          spent: this.#costOf(model, usage),
        }),
    };
  }

  /**
   * Counts one model call in its session: inside the transaction that writes down what it gave, and
   * outside of one where nothing will be written down, since it has cost all the same.
   */
  async record(
    session: Spender,
    model: ModelConfig,
    usage: ModelUsage,
    db: Kysely<Schema> = this.#services.store.db,
  ): Promise<void> {
    const cost = this.#costOf(model, usage);
    await db
      .updateTable('sessions')
      .set((eb) => ({
        input_tokens: eb('input_tokens', '+', usage.inputTokens),
        output_tokens: eb('output_tokens', '+', usage.outputTokens),
        spent_microcents: eb('spent_microcents', '+', cost),
      }))
      .where('id', '=', session.id)
      .execute();
  }

  #costOf(model: ModelConfig, usage: ModelUsage): number {
    const price = this.#services.config.prices[priceNameOf(model)];
    return price ? priceOf(usage, price) : 0;
  }

  /** What a person has used up of what they may. Empty where nothing is bounded. */
  async allowances(session: Pick<Spender, 'id' | 'publishable_key'>): Promise<Allowance[]> {
    const row = await this.#services.store.db
      .selectFrom('sessions')
      .select(['budget_cents', 'spent_microcents'])
      .where('id', '=', session.id)
      .executeTakeFirst();
    const day = await this.dailyAllowances(session.publishable_key);
    if (row?.budget_cents == null) return day;
    const used = shareOf(Number(row.spent_microcents), Number(row.budget_cents));
    return [{ type: 'session', used, resets_at: null }, ...day];
  }

  /** What the visitors of a key have used up of its day. Empty without a key. */
  async dailyAllowances(key: string | null): Promise<Allowance[]> {
    const day = await this.#dayOf(key);
    if (day === null) return [];
    const now = this.#services.clock.now();
    const resetsAt = isoTime(Date.parse(utcDay(now)) + 86_400_000);
    return [{ type: 'day', used: shareOf(day.spent, day.capCents), resets_at: resetsAt }];
  }

  async #isDailyCapReached(key: string | null): Promise<boolean> {
    const day = await this.#dayOf(key);
    return day !== null && day.spent >= day.capCents * microcents;
  }

  /** Null without a key, and for one that is gone. */
  async #dayOf(key: string | null): Promise<{ spent: number; capCents: number } | null> {
    const found = key === null ? null : this.#services.agents.findPublishableKey(key);
    if (key === null || !found) return null;
    const row = await this.#services.store.db
      .selectFrom('publishable_key_days')
      .select('spent_microcents')
      .where('publishable_key', '=', key)
      .where('day', '=', utcDay(this.#services.clock.now()))
      .executeTakeFirst();
    return {
      spent: Number(row?.spent_microcents ?? 0),
      capCents: found.publishableKey.spend_cents_per_day,
    };
  }
}

/** From 0 to 1. Of nothing, all is used up. */
function shareOf(spentMicrocents: number, capCents: number): number {
  return capCents === 0 ? 1 : Math.min(1, spentMicrocents / (capCents * microcents));
}
