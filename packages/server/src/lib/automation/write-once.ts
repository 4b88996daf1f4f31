import type { Transaction } from 'kysely';
import type { BackendCaller } from '../auth/caller.ts';
import type { Call, RouteDescription } from '../http/route.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';

/**
 * Performs a write in a transaction, once for each `Idempotency-Key` of the tenant. Without this
 * header, every request writes.
 *
 * @throws ApiError `CONFLICT` if the key was used with another path or body.
 */
export function writeOnce<Result>(
  services: Pick<Services, 'store' | 'clock'>,
  { c, caller, body }: Pick<Call<RouteDescription>, 'c' | 'body'> & { caller: BackendCaller },
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  const request = {
    // Of the tenant, so that a retry with a rotated key does not write again.
    scope: `automation:${caller.owner}`,
    key: c.req.header('idempotency-key'),
    body: { path: c.req.path, body },
  };
  return idempotent<Result>(services, request, (remember) =>
    services.store.transaction(async (transaction) => {
      const result = await work(transaction);
      await remember(transaction, result);
      return result;
    }),
  );
}
