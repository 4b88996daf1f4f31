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
import { PlatformError } from './platform-error.ts';

export interface PlatformClientOptions {
  /** The platform's address, for example `https://chat.example`. */
  baseUrl: string;
  /**
   * `sk-service-…`. Keep it on the server: read it from the environment. Without one,
   * every call fails with `INVALID_OPTION`; the client itself can be created, because frameworks
   * load the module while they build, where no secret is present.
   */
  apiKey: string | undefined;
  /**
   * Milliseconds for one attempt, and for an issuance including its retries.
   *
   * @default 10_000
   */
  timeout?: number;
  /**
   * Maximum number of retries of an idempotent call. Issuances are retried by their queue.
   *
   * @default 2
   */
  retries?: number;
  /** @default globalThis.fetch */
  fetch?: typeof fetch;
}

export interface ListTokensOptions {
  /** Only tokens of this agent, by its id. */
  agentId?: string;
  /** Only tokens of this end user. */
  externalUserId?: string;
  /**
   * 1 to 100.
   *
   * @default 20
   */
  limit?: number;
  /** `next_page` of the previous page. */
  page?: string;
}

/** Calls the platform's API from a host's backend. Every method rejects with `PlatformError`. */
export type PlatformClient = ReturnType<typeof createPlatformClient>;

export interface IssueOptions {
  /**
   * Milliseconds until the token must be issued, including the time in the queue.
   *
   * @default the client's timeout
   */
  within?: number;
}

/**
 * @throws PlatformError `INVALID_OPTION`, with the remedy, if an option is invalid. A missing
 * `apiKey` is reported by the first call.
 */
export function createPlatformClient(options: PlatformClientOptions) {
  const timeout = options.timeout ?? 10_000;
  const apiKey = options.apiKey ? apiKeyOf(options.apiKey) : null;
  const issuances = createIssuanceQueue();
  const call = createCaller({
    baseUrl: baseUrlOf(options.baseUrl),
    apiKey: () => apiKey ?? missingApiKey(),
    onRateLimited: issuances.hold,
    timeout,
    retries: options.retries ?? 2,
    fetch: options.fetch ?? globalThis.fetch,
  });
  const endUserPath = (agentId: string, externalUserId: string, verb: string) =>
    `/agents/${encodeURIComponent(agentId)}/end_users/${encodeURIComponent(externalUserId)}/${verb}`;
  const tokenPath = (id: string, verb: string) => `/embed_tokens/${encodeURIComponent(id)}/${verb}`;

  return {
    embedTokens: {
      /**
       * Issues a token for one end user (service reference, section 4.1). Issuances of one client
       * are queued: one that the platform's rate limit refuses (429, 503) is retried when the
       * platform allows, as long as `within` lasts. Nothing else is retried, because every call
       * makes a new token.
       *
       * @throws PlatformError `TIMEOUT` or `QUEUE_FULL` if the queue is too long.
       */
      issue: (
        request: IssueTokenRequest,
        { within = timeout }: IssueOptions = {},
      ): Promise<IssueTokenResponse> =>
        issuances.run(
          (left) =>
            call('POST', '/embed_tokens', IssueTokenResponse, {
              body: request,
              retries: 0,
              timeout: left,
            }),
          within,
        ),

      /** Lists issuance records, newest first. They never contain the token. */
      async list({ agentId, externalUserId, limit, page, ...unknown }: ListTokensOptions = {}) {
        refuseUnknown('embedTokens.list', unknown, 'agentId, externalUserId, limit and page');
        const query = { agent_id: agentId, external_user_id: externalUserId, limit, page };
        return call('GET', '/embed_tokens', IssuanceRecordPage, { query });
      },

      /** Revokes one token, and ends the streams that it opened. Idempotent. */
      revoke: (id: string) => call('POST', tokenPath(id, 'revoke'), IssuanceRecord),

      /** Expires one token now, to test how a page refreshes it. */
      expire: (id: string) => call('POST', tokenPath(id, 'expire'), IssuanceRecord),
    },

    endUsers: {
      /** Revokes all tokens of a user, and stops their runs. New tokens can be issued. */
      revokeTokens: (agentId: string, externalUserId: string) =>
        call('POST', endUserPath(agentId, externalUserId, 'revoke_tokens'), EndUser),

      /** Revokes all tokens of a user, and issues none until `unblock`. */
      block: (agentId: string, externalUserId: string) =>
        call('POST', endUserPath(agentId, externalUserId, 'block'), EndUser),

      unblock: (agentId: string, externalUserId: string) =>
        call('POST', endUserPath(agentId, externalUserId, 'unblock'), EndUser),
    },

    agents: agentCalls(call),
    publishableKeys: publishableKeyCalls(call),

    sessions: {
      /** Ends a conversation: it accepts no more messages. `reason` is shown to the user. */
      terminate: (sessionId: string, reason?: string) =>
        call('POST', `/sessions/${encodeURIComponent(sessionId)}/terminate`, Session, {
          body: reason === undefined ? {} : { reason },
        }),
    },
  };
}

/** Rejects unknown filters, which would be ignored and list everything. */
function refuseUnknown(method: string, unknown: object, known: string): void {
  const [name] = Object.keys(unknown);
  if (name === undefined) return;
  throw new PlatformError('INVALID_OPTION', `${method} has no option \`${name}\`, only ${known}.`);
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
  // The message omits the value, which may be most of a real key.
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
    "apiKey is missing. Set the environment variable INLAY_API_KEY of your backend to the platform's API key (sk-service-…), and start it again.",
  );
}
