import {
  IssuanceRecord,
  IssuanceRecordPage,
  type IssueTokenRequest,
  IssueTokenResponse,
  UsageReport,
} from '@inlay/protocol';
import { agentCalls, publishableKeyCalls } from './agent-calls.ts';
import { automationCalls } from './automation-client.ts';
import { createCaller } from './call.ts';
import { type PlatformClientOptions, readClientOptions } from './client-options.ts';
import { auditCalls, endUserCalls } from './end-user-calls.ts';
import { createIssuanceQueue } from './issuance-queue.ts';
import { modelCalls } from './model-calls.ts';
import { registryCalls } from './registry-calls.ts';
import { rejectUnknown } from './reject-unknown.ts';
import { requireDelay } from './require-delay.ts';
import { sessionCalls } from './session-calls.ts';
import { webhookCalls } from './webhook-calls.ts';

export interface ListTokensParams {
  /** Lists only tokens of this agent, by its id. */
  agent_id?: string;
  /** Lists only tokens of this end user. */
  external_user_id?: string;
  /** Lists only tokens of visitors with this key. */
  publishable_key?: string;
  status?: 'active' | 'expired' | 'revoked';
  /** Lists only tokens that were issued later: a time in RFC 3339. */
  created_after?: string;
  /**
   * 1 to 100.
   *
   * @default 20
   */
  limit?: number;
  /** `next_page` of the previous page. */
  page?: string;
}

/**
 * Client of the platform's API for a host's backend. Parameters and results have the names of the API
 * (snake_case); only options of the client itself are camelCase. Every method rejects with
 * `PlatformError`.
 */
export type PlatformClient = ReturnType<typeof createPlatformClient>;

export interface IssueOptions {
  /**
   * Timeout including the time in the queue, in milliseconds, from 1 to 2,147,483,647.
   *
   * @default the client's `timeoutMs`
   */
  timeoutMs?: number;
}

export interface UsageParams {
  /**
   * One or two names.
   *
   * @default ['day']
   */
  group_by?: readonly ('day' | 'agent' | 'version' | 'model' | 'publishable_key')[];
  /** First UTC day, `YYYY-MM-DD`. By default 29 days before `to`. */
  from?: string;
  /** Last UTC day. By default today. */
  to?: string;
}

/**
 * Creates a client of the platform's API.
 *
 * @throws PlatformError `INVALID_OPTION`, with the remedy, if an option is invalid. A missing
 *   `apiKey` is reported by the first call.
 */
export function createPlatformClient(options: PlatformClientOptions) {
  const settings = readClientOptions(options);
  const issuances = createIssuanceQueue(settings.concurrentIssuances);
  const { call, open } = createCaller({ ...settings, onRateLimited: issuances.pause });

  const { sessions, files, feedback } = sessionCalls(call, open);

  return {
    embedTokens: {
      /**
       * Issues a token for one end user (docs/conformance.md, 4.1). The issuances of a client
       * wait in a queue: after 429 or 503, an issuance is retried when the platform allows it, until
       * `timeoutMs` has passed. Other failures are not retried, because every call creates a token.
       *
       * @throws PlatformError `TIMEOUT` after `timeoutMs`; `QUEUE_FULL` if 1000 issuances wait.
       */
      issue: async (
        request: IssueTokenRequest,
        { timeoutMs = settings.timeoutMs }: IssueOptions = {},
      ): Promise<IssueTokenResponse> =>
        issuances.run(
          (remainingMs) =>
            call('POST', ['embed_tokens'], IssueTokenResponse, {
              body: request,
              maxRetries: 0,
              timeoutMs: remainingMs,
            }),
          requireDelay('timeoutMs', timeoutMs),
        ),

      /** Lists issuance records, newest first. They never contain the token. */
      async list({ limit, page, ...filters }: ListTokensParams = {}) {
        const { agent_id, external_user_id, publishable_key, status, created_after, ...unknown } =
          filters;
        rejectUnknown(
          'embedTokens.list',
          unknown,
          'agent_id, external_user_id, publishable_key, status, created_after, limit and page',
        );
        const ofUser = { agent_id, external_user_id, publishable_key };
        const query = { ...ofUser, status, created_after, limit, page };
        return call('GET', ['embed_tokens'], IssuanceRecordPage, { query });
      },

      /** Reads one issuance record. It never contains the token. */
      get: (id: string) => call('GET', ['embed_tokens', id], IssuanceRecord),

      /** Revokes a token and ends the streams opened with it. Idempotent. */
      revoke: (id: string) => call('POST', ['embed_tokens', id, 'revoke'], IssuanceRecord),

      /** Makes a token expire now, to test how a page refreshes it. */
      expire: (id: string) => call('POST', ['embed_tokens', id, 'expire'], IssuanceRecord),
    },

    endUsers: endUserCalls(call, open),
    auditEvents: auditCalls(call),

    /**
     * Adds up conversations, people, answers, ratings, tokens and cost by one or two of day, agent,
     * version, model and publishable key.
     */
    async usage({ group_by, from, to, ...unknown }: UsageParams = {}) {
      rejectUnknown('usage', unknown, 'group_by, from and to');
      const query = { group_by: group_by?.join(','), from, to };
      return call('GET', ['usage'], UsageReport, { query });
    },

    agents: agentCalls(call),
    publishableKeys: publishableKeyCalls(call),
    ...modelCalls(call, open),
    ...registryCalls(call),
    automation: automationCalls(call),

    sessions,
    files,
    feedback,
    webhookEndpoints: webhookCalls(call),
  };
}
