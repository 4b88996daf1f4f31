import { ExchangeRequest, ExchangeResponse } from '@inlay/protocol';
import { type Route, route } from '../http/route.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { redeemExchangeCode } from './exchange-codes.ts';

/** Route with which the hosted page gets its token (docs/conformance.md, 3.2 and 4.2). */
export function exchangeRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/embed/exchange',
        audience: 'public',
        tag: 'Embed tokens',
        summary: 'Exchange the code of a hosted link for a token',
        description:
          'A code works once, within 60 seconds. Used, expired, unknown and malformed codes get the same response, except for the ids of the occurrence.',
        body: ExchangeRequest,
        response: ExchangeResponse,
        problems: ['NOT_FOUND'],
      },
      async ({ body, c }) => {
        c.header('cache-control', 'no-store');
        const redeemed = await redeemExchangeCode(services, body.code);
        if (!redeemed) throw invalidCode();
        return { token: redeemed.token, expires_at: redeemed.expiresAt };
      },
    ),
  ];
}

/**
 * Creates the same error for every invalid code, so that the response does not reveal why the code is
 * invalid.
 */
function invalidCode(): ApiError {
  return new ApiError('NOT_FOUND', 'This link was used already or is too old. Ask for a new one.');
}
