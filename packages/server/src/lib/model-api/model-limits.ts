import type { Transaction } from 'kysely';
import type { ModelUsage } from '../agent-models/model.ts';
import { priceOf } from '../agent-models/price.ts';
import { type Clock, isoTime } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { ModelPrice } from '../config/model.ts';
import type { CatalogueModel } from '../config/models.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import { microcentsPerCent } from '../runs/spending.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import {
  addCost,
  keepForVideo,
  type ModelMonth,
  releaseReservation,
  releaseVideo,
  reserve,
} from './model-reservations.ts';

const minute = 60_000;
const unlimited = Number.MAX_SAFE_INTEGER;
/** Seconds after which a request may fit into the budget, because others have ended. */
const retryAfter = 5;
/** Milliseconds until a reservation is settled again after the store has failed. */
const settleAgainAfter = 5_000;

export type LimitServices = Pick<
  Services,
  'limiter' | 'store' | 'clock' | 'config' | 'random' | 'log' | 'worker'
>;
type BudgetServices = Pick<LimitServices, 'store' | 'clock' | 'config'>;

/** The usage that a request may have. */
export interface RequestEstimate {
  /** Estimated tokens of the input. */
  readonly inputTokens: number;
  /** Maximum tokens of the output; null if the request has no maximum. */
  readonly outputLimit: number | null;
  /** Seconds of the video that the request asks for; null if it does not name them. */
  readonly videoSeconds?: number | null;
}

/** A request that the limits of its model admitted. It must be settled or released. */
export interface AdmittedRequest {
  /**
   * Counts the tokens and the cost of the request, even if its response was interrupted. Only the first
   * call of `settle` or `release` has an effect.
   */
  settle(usage: ModelUsage): Promise<void>;
  /** Ends a request that costs nothing. */
  release(): Promise<void>;
  /**
   * Leaves the reservation to a video task, until `settleVideo`. Replaces `settle`.
   *
   * @param seconds Length of the video, whose cost is then reserved; not positive if it is unknown.
   */
  leaveToVideo(transaction: Transaction<Schema>, video: string, seconds: number): Promise<void>;
}

/**
 * The cost of a request does not fit into the budget of its model beside the reservations of the requests
 * in progress. It may fit when they have ended.
 */
export class BudgetReservedError extends ApiError {
  constructor({ id }: CatalogueModel) {
    super(
      'RATE_LIMITED',
      `The requests in progress may use up the rest of the budget of \`${id}\` for this month. Try again when they have ended.`,
      { name: 'rate_limit_error', scope: 'model', retryAfter },
    );
  }
}

/**
 * Admits a request if the limits of its model allow it, and reserves its cost in the budget of the model.
 * All API keys share these limits (docs/conformance.md, 8.3).
 *
 * @param estimate The output is counted after the response, which may therefore exceed the limit of
 *   tokens; the next request is then refused.
 * @throws ApiError `QUOTA_EXHAUSTED`, or `RATE_LIMITED` with the scope `model`.
 */
export async function admitToModel(
  services: LimitServices,
  model: CatalogueModel,
  estimate: RequestEstimate,
): Promise<AdmittedRequest> {
  const admitted = await reserveForModel(services, model, estimate);
  try {
    await requireRates(services, model, estimate.inputTokens);
  } catch (error) {
    await admitted.release();
    throw error;
  }
  return admitted;
}

/**
 * Checks a request that is performed later against the limits of its model, and counts it. When it is
 * performed, `reserveForModel` reserves its cost.
 *
 * @throws ApiError As `admitToModel`.
 */
export async function admitToQueue(
  services: LimitServices,
  model: CatalogueModel,
  inputTokens: number,
): Promise<void> {
  await requireBudget(services, model);
  await requireRates(services, model, inputTokens);
}

/**
 * Reserves the cost of a request in the budget of its model for the current month, in which the cost
 * counts. A model without a budget needs no reservation.
 *
 * @throws BudgetReservedError | ApiError `QUOTA_EXHAUSTED` if the budget is used up.
 */
export async function reserveForModel(
  services: LimitServices,
  model: CatalogueModel,
  estimate: RequestEstimate,
): Promise<AdmittedRequest> {
  const { limiter, config, clock, store } = services;
  const month = { model: model.id, month: monthOf(clock) };
  const price = config.prices[model.id];
  const reservation = await reserveCost(services, model, month, estimate);
  let isEnded = false;
  const end = async (cost: number) => {
    if (isEnded) return;
    isEnded = true;
    if (reservation === null) await addCost(store.db, month, cost);
    else await settleReservation(services, reservation, month, cost);
  };
  return {
    async settle(usage) {
      if (isEnded) return;
      await end(price ? priceOf(usage, price) : 0);
      const excess = usage.inputTokens + usage.outputTokens - estimate.inputTokens;
      if (model.tokens_per_minute > 0 && excess > 0) {
        const window = { maximum: unlimited, windowMs: minute };
        await limiter.take(tokensSubject(model), excess, window);
      }
    },
    release: () => end(0),
    async leaveToVideo(transaction, video, seconds) {
      const cost = seconds > 0 ? videoCost(price, seconds) : null;
      if (reservation !== null) await keepForVideo(transaction, reservation, { video, cost });
    },
  };
}

/** Returns the id of the reservation; null if the request costs nothing, or its model has no budget. */
async function reserveCost(
  services: LimitServices,
  model: CatalogueModel,
  month: ModelMonth,
  estimate: RequestEstimate,
): Promise<string | null> {
  const { config, store, random, worker } = services;
  const budgetMicrocents = budgetOf(config, model);
  if (budgetMicrocents === null) return null;
  await requireBudget(services, model);
  const maximum = maximumCost(config.prices[model.id], estimate);
  if (maximum.isMaximum && maximum.microcents === 0) return null;
  const id = newId(random, 'rsv_');
  const reservation = { ...month, ...maximum, id, worker: worker.id, budgetMicrocents };
  const isReserved = await store
    .transaction((transaction) => reserve(transaction, reservation))
    .catch((error: unknown) => {
      // The transaction may have been committed before the connection was lost.
      settleLater(services, id, month, 0);
      throw error;
    });
  if (isReserved) return id;
  await requireBudget(services, model);
  throw new BudgetReservedError(model);
}

/** Returns the highest cost that a request can have, or the lowest one if its output has no limit. */
function maximumCost(
  price: ModelPrice | undefined,
  { inputTokens, outputLimit, videoSeconds }: RequestEstimate,
): { microcents: number; isMaximum: boolean } {
  if (videoSeconds !== undefined) {
    return {
      microcents: videoCost(price, videoSeconds ?? 0),
      isMaximum: videoSeconds !== null || !price?.video_second_cents,
    };
  }
  const usage = { inputTokens, outputTokens: outputLimit ?? 0, estimated: true };
  return {
    microcents: price ? priceOf(usage, price) : 0,
    isMaximum: outputLimit !== null || !price?.output_cents_per_million,
  };
}

async function settleReservation(
  services: LimitServices,
  id: string,
  month: ModelMonth,
  cost: number,
): Promise<void> {
  try {
    await services.store.transaction(async (transaction) => {
      await releaseReservation(transaction, id);
      // Counts even if the reservation was released because this process counted as dead for a time.
      await addCost(transaction, month, cost);
    });
  } catch (error) {
    settleLater(services, id, month, cost);
    throw error;
  }
}

/**
 * Settles a reservation when the store works again. The failed attempt may have been committed, so that
 * the cost counts only if the reservation still exists.
 */
function settleLater(services: LimitServices, id: string, month: ModelMonth, cost: number): void {
  const { store, clock, log } = services;
  clock.after(settleAgainAfter, () => {
    store
      .transaction(async (transaction) => {
        if (await releaseReservation(transaction, id)) await addCost(transaction, month, cost);
      })
      .catch((error: unknown) => {
        log.warn('cost not settled', { model: month.model, ...describeError(error) });
        settleLater(services, id, month, cost);
      });
  });
}

async function requireRates(
  services: LimitServices,
  model: CatalogueModel,
  inputTokens: number,
): Promise<void> {
  const tokens = tokensSubject(model);
  const tokenLimit = model.tokens_per_minute;
  const tokenRate = { name: 'tokens_per_minute', limit: tokenLimit } as const;
  await requireRate(services, tokens, inputTokens, tokenRate);
  try {
    const limit = model.requests_per_minute;
    const requests = `model:requests:${model.id}`;
    await requireRate(services, requests, 1, { name: 'requests_per_minute', limit });
  } catch (error) {
    // Returns the tokens of the refused request.
    if (tokenLimit > 0) {
      await services.limiter.take(tokens, -inputTokens, { maximum: 0, windowMs: minute });
    }
    throw error;
  }
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

/** Returns the monthly budget of a model in micro-cents; null if it has none, or no price. */
function budgetOf(
  config: Pick<Config, 'prices'>,
  { id, budget_cents_per_month: budget }: CatalogueModel,
): number | null {
  if (budget === null || !config.prices[id]) return null;
  // The database computes with integers of 64 bits.
  return Math.min(budget * microcentsPerCent, Number.MAX_SAFE_INTEGER);
}

/** Whether requests with this `model` reserve their cost. */
export function hasBudget(config: Pick<Config, 'models' | 'prices'>, id: string | null): boolean {
  const model = config.models.find((each) => each.id === id);
  return model !== undefined && budgetOf(config, model) !== null;
}

/** @throws ApiError `QUOTA_EXHAUSTED` if the monthly budget of the model is used up. */
async function requireBudget(
  { store, clock, config }: BudgetServices,
  model: CatalogueModel,
): Promise<void> {
  const budget = budgetOf(config, model);
  if (budget === null) return;
  const month = monthOf(clock);
  const row = await store.db
    .selectFrom('model_months')
    .select('spent_microcents')
    .where('model', '=', model.id)
    .where('month', '=', month)
    .executeTakeFirst();
  if (Number(row?.spent_microcents ?? 0) < budget) return;
  throw new ApiError(
    'QUOTA_EXHAUSTED',
    `The budget of \`${model.id}\` for ${month} (UTC) is used up. Choose another model, or raise \`budget_cents_per_month\`.`,
  );
}

/**
 * Checks the monthly budget of the model that a request names, before the request is read completely. A
 * model outside the catalogue has no budget.
 *
 * @throws ApiError `QUOTA_EXHAUSTED`
 */
export async function requireBudgetOf(services: BudgetServices, name: unknown): Promise<void> {
  const model = services.config.models.find(({ id }) => id === name);
  if (model) await requireBudget(services, model);
}

/**
 * Releases the reservation of a video task that has ended, and adds the price of the video to the costs
 * of its model in this month (docs/conformance.md, 4.13.8).
 *
 * @param video.seconds Length of the video; 0 if the task failed.
 */
export async function settleVideo(
  { clock, config }: Pick<BudgetServices, 'clock' | 'config'>,
  transaction: Transaction<Schema>,
  { id, model, seconds }: { id: string; model: string; seconds: number },
): Promise<void> {
  if (hasBudget(config, model)) await releaseVideo(transaction, id);
  const cost = videoCost(config.prices[model], seconds);
  await addCost(transaction, { model, month: monthOf(clock) }, cost);
}

/** Returns the cost in micro-cents. */
function videoCost(price: ModelPrice | undefined, seconds: number): number {
  const cents = price?.video_second_cents ?? 0;
  return seconds > 0 ? Math.round(seconds * cents * microcentsPerCent) : 0;
}

/** Returns the current month in UTC, such as `2026-11`. */
function monthOf(clock: Clock): string {
  return isoTime(clock.now()).slice(0, 7);
}
