import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../clock.ts';
import type { CatalogueModel } from '../config/models.ts';
import type { ModelUsage } from '../models/model.ts';
import { priceOf } from '../models/price.ts';
import { ApiError } from '../problems/api-error.ts';
import { microcentsPerCent } from '../runs/spending.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';

const minute = 60_000;
const unlimited = Number.MAX_SAFE_INTEGER;

type LimitServices = Pick<Services, 'limiter' | 'store' | 'clock' | 'config'>;
export type BudgetServices = Pick<LimitServices, 'store' | 'clock' | 'config'>;

/** A request that the limits of its model admitted. */
export interface AdmittedRequest {
  /**
   * Counts the tokens and the cost of the request, even if its response was interrupted.
   *
   * @returns The cost in micro-cents; null for a model without a price.
   */
  settle(usage: ModelUsage): Promise<number | null>;
}

/**
 * Admits a request if the limits of its model allow it. All API keys share these limits (service
 * reference, section 8.3).
 *
 * @param estimate Estimated tokens of the input. The output is counted after the response, which may
 *   therefore exceed the limit; the next request is then refused.
 * @throws ApiError `QUOTA_EXHAUSTED`, or `RATE_LIMITED` with the scope `model`.
 */
export async function admitToModel(
  services: LimitServices,
  model: CatalogueModel,
  estimate: number,
): Promise<AdmittedRequest> {
  const { limiter } = services;
  const admitted = admittedRequest(services, model, estimate);
  await requireBudget(services, model);
  const tokens = tokensSubject(model);
  const tokenLimit = model.tokens_per_minute;
  await requireRate(services, tokens, estimate, { name: 'tokens_per_minute', limit: tokenLimit });
  try {
    const limit = model.requests_per_minute;
    const requests = `model:requests:${model.id}`;
    await requireRate(services, requests, 1, { name: 'requests_per_minute', limit });
  } catch (error) {
    // Returns the tokens of the refused request.
    if (tokenLimit > 0) await limiter.take(tokens, -estimate, { maximum: 0, windowMs: minute });
    throw error;
  }
  return admitted;
}

/**
 * Returns a request that was admitted earlier, for example when it was queued. Its cost counts in
 * the current month.
 *
 * @param estimate Estimated tokens with which the request was admitted.
 */
export function admittedRequest(
  { limiter, config, clock, store }: LimitServices,
  model: CatalogueModel,
  estimate: number,
): AdmittedRequest {
  const month = monthOf(clock);
  return {
    async settle(usage) {
      const excess = usage.inputTokens + usage.outputTokens - estimate;
      if (model.tokens_per_minute > 0 && excess > 0) {
        const window = { maximum: unlimited, windowMs: minute };
        await limiter.take(tokensSubject(model), excess, window);
      }
      const price = config.prices[model.id];
      if (!price) return null;
      const cost = priceOf(usage, price);
      await addCost(store.db, model.id, month, cost);
      return cost;
    },
  };
}

function tokensSubject({ id }: CatalogueModel): string {
  return `model:tokens:${id}`;
}

async function requireRate(
  { limiter }: LimitServices,
  subject: string,
  amount: number,
  { name, limit }: { name: 'requests_per_minute' | 'tokens_per_minute'; limit: number },
): Promise<void> {
  if (limit === 0) return;
  const { allowed, current } = await limiter.take(subject, amount, {
    maximum: limit,
    windowMs: minute,
  });
  if (allowed) return;
  const unit = name === 'requests_per_minute' ? 'Requests' : 'Tokens';
  throw new ApiError(
    'RATE_LIMITED',
    `${unit} per minute limit of the model reached: ${current} of ${limit}, and this request needs ${amount}.`,
    {
      name: 'rate_limit_error',
      scope: 'model',
      retryAfter: 60,
      details: { rateLimit: { type: name, current, limit } },
    },
  );
}

/** @throws ApiError `QUOTA_EXHAUSTED` if the monthly budget of the model is used up. */
async function requireBudget(
  { store, clock, config }: BudgetServices,
  { id, budget_cents_per_month: budget }: CatalogueModel,
): Promise<void> {
  if (budget === null || !config.prices[id]) return;
  const month = monthOf(clock);
  const row = await store.db
    .selectFrom('model_months')
    .select('spent_microcents')
    .where('model', '=', id)
    .where('month', '=', month)
    .executeTakeFirst();
  if (Number(row?.spent_microcents ?? 0) < budget * microcentsPerCent) return;
  throw new ApiError(
    'QUOTA_EXHAUSTED',
    `The budget of \`${id}\` for ${month} (UTC) is used up. Choose another model, or raise \`budget_cents_per_month\`.`,
  );
}

/**
 * Checks the monthly budget of the model that a request names. A model outside the catalogue has no
 * budget.
 *
 * @throws ApiError `QUOTA_EXHAUSTED`
 */
export async function requireBudgetOf(services: BudgetServices, name: unknown): Promise<void> {
  const model = services.config.models.find(({ id }) => id === name);
  if (model) await requireBudget(services, model);
}

/**
 * Adds the price of a generated video to the costs of its model in this month (service reference,
 * section 4.13, rule 8).
 *
 * @param seconds Length of the video.
 */
export async function addVideoCost(
  { clock, config }: Pick<BudgetServices, 'clock' | 'config'>,
  db: Kysely<Schema>,
  { model, seconds }: { model: string; seconds: number },
): Promise<void> {
  const cents = config.prices[model]?.video_second_cents ?? 0;
  if (seconds > 0)
    await addCost(db, model, monthOf(clock), Math.round(seconds * cents * microcentsPerCent));
}

/** Returns the current month in UTC, such as `2026-11`. */
function monthOf(clock: Clock): string {
  return isoTime(clock.now()).slice(0, 7);
}

async function addCost(
  db: Kysely<Schema>,
  model: string,
  month: string,
  cost: number,
): Promise<void> {
  if (cost === 0) return;
  await db
    .insertInto('model_months')
    .values({ model, month, spent_microcents: cost })
    .onConflict((conflict) =>
      conflict.columns(['model', 'month']).doUpdateSet((eb) => ({
        spent_microcents: eb('model_months.spent_microcents', '+', cost),
      })),
    )
    .execute();
}
