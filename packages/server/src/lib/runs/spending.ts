import type { Kysely } from 'kysely';
import { agentVersion } from '../agents/agent.ts';
import type { Services } from '../deps.ts';
import { reserveDailySpend, settleDailySpend } from '../limits/daily-allowance.ts';
import { estimateUsage } from '../models/estimate-usage.ts';
import type { ModelRequest, ModelUsage } from '../models/model.ts';
import { priceNameOf, priceOf } from '../models/price.ts';
import { secondsToNextUtcDay, utcDay } from '../ports/clock.ts';
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

type Spender = Pick<
  SessionsTable,
  'id' | 'agent_id' | 'agent_version' | 'publishable_key' | 'budget_cents' | 'spent_microcents'
>;

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
  async reserve(session: Spender, request: ModelRequest): Promise<Reservation | SpendingLimit> {
    const limit = await this.limitReached(session);
    if (limit) return limit;
    const key = session.publishable_key;
    if (key === null) return { settle: async () => {} };
    if (!this.#services.agents.findPublishableKey(key)) return 'daily_cap';
    const expected = { ...estimateUsage(request, ''), outputTokens: expectedOutputTokens };
    const reserved = this.#costOf(session, expected);
    const day = await reserveDailySpend(this.#services, key, reserved);
    if (day === null) return 'daily_cap';
    return {
      settle: (usage) =>
        settleDailySpend(this.#services, {
          key,
          day,
          reserved,
          spent: this.#costOf(session, usage),
        }),
    };
  }

  /**
   * Counts one model call in its session: inside the transaction that writes down what it gave, and
   * outside of one where nothing will be written down, since it has cost all the same.
   */
  async record(
    session: Spender,
    usage: ModelUsage,
    db: Kysely<Schema> = this.#services.store.db,
  ): Promise<void> {
    const cost = this.#costOf(session, usage);
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

  #costOf(session: Spender, usage: ModelUsage): number {
    const agent = this.#services.agents.find(session.agent_id);
    const model = agent && agentVersion(agent, session.agent_version)?.model;
    const price = model && this.#services.config.prices[priceNameOf(model)];
    return price ? priceOf(usage, price) : 0;
  }

  async #isDailyCapReached(key: string | null): Promise<boolean> {
    const cap = key === null ? null : this.#services.agents.findPublishableKey(key);
    if (key === null || !cap) return false;
    const row = await this.#services.store.db
      .selectFrom('publishable_key_days')
      .select('spent_microcents')
      .where('publishable_key', '=', key)
      .where('day', '=', utcDay(this.#services.clock.now()))
      .executeTakeFirst();
    const spent = Number(row?.spent_microcents ?? 0);
    return spent >= cap.publishableKey.spend_cents_per_day * microcents;
  }
}
