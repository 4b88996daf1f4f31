import {
  EndUser,
  IssuanceRecord,
  IssuanceRecordPage,
  type IssueTokenRequest,
  IssueTokenResponse,
  idPrefix,
  Session,
} from '@inlay/protocol';
import { agentCalls, publishableKeyCalls } from './agent-calls.ts';
import { createCaller } from './call.ts';
import { createIssuanceQueue } from './issuance-queue.ts';
import { modelCalls } from './model-calls.ts';
import { PlatformError } from './platform-error.ts';
import { registryCalls } from './registry-calls.ts';
import { rejectUnknown } from './reject-unknown.ts';

export interface PlatformClientOptions {
  /** The platform's address, for example `https://chat.example`. */
  baseUrl: string;
  /**
   * API key (`sk-service-…`), from the environment of the backend. Without a key, every call rejects
   * with `INVALID_OPTION`. The client can be created nevertheless, because frameworks load modules at
   * build time, when secrets are not available.
   */
  apiKey: string | undefined;
  /**
   * Timeout of one attempt, and of an issuance including its retries, in milliseconds.
   *
   * @default 10_000
   */
  timeoutMs?: number;
  /**
   * Maximum number of retries of an idempotent call. Issuances are retried by their queue.
   *
   * @default 2
   */
  maxRetries?: number;
  /** @default globalThis.fetch */
  fetch?: typeof fetch;
}

export interface ListTokensParams {
  /** Lists only tokens of this agent, by its id. */
  agent_id?: string;
  /** Lists only tokens of this end user. */
  external_user_id?: string;
  /**
   * 1 to 100.
   *
   * @default 20
   */
  limit?: number;
  /** `next_page` of the previous page. */
  page?: string;
}

export interface TerminateParams {
  /** Reason that is shown to the user. */
  reason?: string;
}

/**
 * Client of the platform's API for a host's backend. Parameters and results have the names of the API
 * (snake_case); only options of the client itself are camelCase. Every method rejects with
 * `PlatformError`.
 */
export type PlatformClient = ReturnType<typeof createPlatformClient>;

export interface IssueOptions {
  /**
   * Timeout including the time in the queue, in milliseconds.
   *
   * @default the client's `timeoutMs`
   */
  timeoutMs?: number;
}

/**
 * Creates a client of the platform's API.
 *
 * @throws PlatformError `INVALID_OPTION`, with the remedy, if an option is invalid. A missing
 *   `apiKey` is reported by the first call.
 */
export function createPlatformClient(options: PlatformClientOptions) {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const apiKey = options.apiKey ? apiKeyOf(options.apiKey) : null;
  const issuances = createIssuanceQueue();
  const { call, open } = createCaller({
    baseUrl: baseUrlOf(options.baseUrl),
    apiKey: () => apiKey ?? missingApiKey(),
    onRateLimited: issuances.pause,
    timeoutMs,
    maxRetries: options.maxRetries ?? 2,
    fetch: options.fetch ?? globalThis.fetch,
  });
  const endUserPath = (agentId: string, externalUserId: string, action: string) =>
    `/agents/${encodeURIComponent(agentId)}/end_users/${encodeURIComponent(externalUserId)}/${action}`;
  const tokenPath = (id: string, action: string) =>
    `/embed_tokens/${encodeURIComponent(id)}/${action}`;

  return {
    embedTokens: {
      /**
       * Issues a token for one end user (service reference, section 4.1). The issuances of a client are
       * queued: after 429 or 503, an issuance is retried when the platform allows it, until
       * `timeoutMs` is over. Other failures are not retried, because every call creates a new token.
       *
       * @throws PlatformError `TIMEOUT` or `QUEUE_FULL` if the queue is too long.
       */
      issue: (
        request: IssueTokenRequest,
        { timeoutMs: timeout = timeoutMs }: IssueOptions = {},
      ): Promise<IssueTokenResponse> =>
        issuances.run(
          (remainingMs) =>
            call('POST', '/embed_tokens', IssueTokenResponse, {
              body: request,
              maxRetries: 0,
              timeoutMs: remainingMs,
            }),
          timeout,
        ),

      /** Lists issuance records, newest first. They never contain the token. */
      async list({ agent_id, external_user_id, limit, page, ...unknown }: ListTokensParams = {}) {
        rejectUnknown('embedTokens.list', unknown, 'agent_id, external_user_id, limit and page');
        const query = { agent_id, external_user_id, limit, page };
        return call('GET', '/embed_tokens', IssuanceRecordPage, { query });
      },

      /** Reads one issuance record. It never contains the token. */
      get: (id: string) => call('GET', `/embed_tokens/${encodeURIComponent(id)}`, IssuanceRecord),

      /** Revokes a token and ends the streams opened with it. Idempotent. */
      revoke: (id: string) => call('POST', tokenPath(id, 'revoke'), IssuanceRecord),

      /** Lets a token expire now, to test how a page refreshes it. */
      expire: (id: string) => call('POST', tokenPath(id, 'expire'), IssuanceRecord),
    },

    endUsers: {
      /** Revokes all tokens of a user and interrupts their runs. New tokens can be issued. */
      revokeTokens: (agentId: string, externalUserId: string) =>
        call('POST', endUserPath(agentId, externalUserId, 'revoke_tokens'), EndUser),

      /** Revokes all tokens of a user. None can be issued until `unblock`. */
      block: (agentId: string, externalUserId: string) =>
        call('POST', endUserPath(agentId, externalUserId, 'block'), EndUser),

      unblock: (agentId: string, externalUserId: string) =>
        call('POST', endUserPath(agentId, externalUserId, 'unblock'), EndUser),
    },

    agents: agentCalls(call),
    publishableKeys: publishableKeyCalls(call),
    ...modelCalls(call, open),
    ...registryCalls(call),

    sessions: {
      /** Ends a conversation for good: it accepts no more messages. */
      terminate: (sessionId: string, params: TerminateParams = {}) =>
        call('POST', `/sessions/${encodeURIComponent(sessionId)}/terminate`, Session, {
          body: params,
        }),
    },
  };
}

function baseUrlOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new PlatformError(
      'INVALID_OPTION',
      "baseUrl must be the platform's http(s) address, such as https://chat.example.",
    );
  }
  return value.replace(/\/+$/, '');
}

function apiKeyOf(value: string): string {
  if (typeof value === 'string' && value.startsWith(idPrefix.publishableKey)) {
    throw new PlatformError(
      'INVALID_OPTION',
      'apiKey is a publishable key (pk_…). A backend needs the API key (sk-service-…).',
    );
  }
  // The message does not contain the value, which may be a part of a real key.
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new PlatformError(
      'INVALID_OPTION',
      'apiKey must be the API key (sk-service-…), without spaces and line breaks.',
    );
  }
  return value;
}

function missingApiKey(): never {
  throw new PlatformError(
    'INVALID_OPTION',
    "apiKey is missing. Set the environment variable INLAY_API_KEY of your backend to the platform's API key (sk-service-…), and restart it.",
  );
}
