import type { Context } from 'hono';
import type { Caller } from '../auth/caller.ts';
import type { AppEnv } from '../http/env.ts';
import { sourceOf } from '../http/source.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';

type LimitServices = Pick<Services, 'config' | 'limiter'>;

const windowMs = 60_000;
/** All visitors of one source address may together read as much as this number of users. */
const usersPerSource = 4;
/** Seconds after which a refused caller should try again: the window moves on by a second at a time. */
const retryAfter = 10;

/** Counts bytes of logs before they are read. */
export type TakeReadBytes = (bytes: number) => Promise<void>;

/**
 * Returns the function that counts what a request reads from the logs of an end user. The rate limit
 * counts requests, but an export can read thousands of times as much as another request. What a backend
 * reads is not counted: the limit of its concurrent requests bounds it, and the quotas of users must not
 * depend on it.
 *
 * @throws ApiError `RATE_LIMITED` by the function, if the user or, for a visitor, the source address has
 *   read `limits.user.read_bytes_per_minute`.
 */
export function readBytesOf(
  { config, limiter }: LimitServices,
  c: Context<AppEnv>,
  caller: Caller,
): TakeReadBytes {
  if (caller.kind === 'backend') return async () => {};
  const perUser = config.limits.user.read_bytes_per_minute;
  const pots = [{ subject: `reads:${userScope(caller)}`, maximum: perUser }];
  if (caller.anonymous) {
    const source = sourceOf(c, config.trusted_proxies);
    pots.push({ subject: `reads:source:${source}`, maximum: perUser * usersPerSource });
  }
  return async (bytes) => {
    const taken: string[] = [];
    for (const { subject, maximum } of pots) {
      // A log that is larger than the limit can be read once a minute.
      const amount = Math.min(bytes, perUser);
      const { allowed } = await limiter.take(subject, amount, { maximum, windowMs });
      if (allowed) {
        taken.push(subject);
        continue;
      }
      for (const other of taken) await limiter.take(other, -amount, { maximum, windowMs });
      throw new ApiError(
        'RATE_LIMITED',
        `Limit of ${maximum} bytes of conversations per minute reached, by exports, searches, pages of events and streams. Retry after \`retry-after\` seconds.`,
        { retryAfter, scope: 'platform' },
      );
    }
  };
}

/**
 * Admits one request of a kind at a time for each end user, and any number for backends.
 *
 * @returns The function that ends the request. Idempotent.
 * @throws ApiError `RATE_LIMITED`
 */
export async function admitOne(
  { limiter }: LimitServices,
  caller: Caller,
  kind: 'export',
): Promise<() => void> {
  if (caller.kind === 'backend') return () => {};
  const limits = { requests_per_second: 1000, concurrent: 1 };
  const { refused, release } = await limiter.admit(`${kind}:${userScope(caller)}`, limits);
  if (refused === null) return release;
  throw new ApiError(
    'RATE_LIMITED',
    `Another ${kind} of yours is in progress. Wait for it to end; there can be one at a time.`,
    { retryAfter: 1, scope: 'platform' },
  );
}
