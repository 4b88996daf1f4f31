import {
  AuditEventPage,
  BlockedEndUserPage,
  ConsentList,
  EndUser,
  EndUserRecord,
  EndUserRecordPage,
  type EraseEndUserRequest,
  Erasure,
} from '@inlay/protocol';
import type { Call, Open } from './call.ts';
import { type PageParams, pageQuery } from './page-query.ts';
import { rejectUnknown } from './reject-unknown.ts';

export interface ListEndUsersParams extends PageParams {
  /** Only people whose id begins with this. */
  query?: string;
  blocked?: 'true' | 'false';
  /** Only people who were seen later: a time in RFC 3339. */
  seen_after?: string;
}

export interface ListAuditEventsParams extends PageParams {
  /** Only operations of `key:` and the name of an API key, or of `cli`, the command line. */
  actor?: string;
  /** Only this operation, such as `POST /agent/v1/agents/:id` or `keys create`. */
  action?: string;
  /** Only operations on this resource, such as `agents/agt_1`. */
  subject?: string;
  /** Only later operations: a time in RFC 3339. */
  after?: string;
  /** Only earlier operations: a time in RFC 3339. */
  before?: string;
}

/** Milliseconds that the erasure of a user may take, who has many conversations. */
const erasureTimeoutMs = 600_000;

/** Methods for end users. */
export function endUserCalls(call: Call, open: Open) {
  const pathOf = (agentId: string, externalUserId: string, operation: string) => [
    'agents',
    agentId,
    'end_users',
    externalUserId,
    operation,
  ];
  return {
    /** Lists the blocked end users of an agent. */
    listBlocked: (agentId: string, params: PageParams = {}) =>
      call('GET', ['agents', agentId, 'blocked_end_users'], BlockedEndUserPage, {
        query: pageQuery('endUsers.listBlocked', params),
      }),

    /**
     * Lists the people who have written to an agent, the latest first. With `query` or `blocked`, a page
     * may be short or empty and still have a `next_page`.
     */
    async list(
      agentId: string,
      { query, blocked, seen_after, limit, page, ...unknown }: ListEndUsersParams = {},
    ) {
      rejectUnknown('endUsers.list', unknown, 'query, blocked, seen_after, limit and page');
      return call('GET', ['agents', agentId, 'end_users'], EndUserRecordPage, {
        query: { query, blocked, seen_after, limit, page },
      });
    },

    /** Reads a person who has written to an agent. */
    get: (agentId: string, externalUserId: string) =>
      call('GET', ['agents', agentId, 'end_users', externalUserId], EndUserRecord),

    /** Lists the consents of a user to the agent's consent texts, the latest first. */
    consents: (agentId: string, externalUserId: string) =>
      call('GET', pathOf(agentId, externalUserId, 'consents'), ConsentList),

    /** Revokes all tokens of a user and interrupts their runs. New tokens can be issued. */
    revokeTokens: (agentId: string, externalUserId: string) =>
      call('POST', pathOf(agentId, externalUserId, 'revoke_tokens'), EndUser),

    /** Blocks a user: revokes all their tokens. No token can be issued for them until `unblock`. */
    block: (agentId: string, externalUserId: string) =>
      call('POST', pathOf(agentId, externalUserId, 'block'), EndUser),

    unblock: (agentId: string, externalUserId: string) =>
      call('POST', pathOf(agentId, externalUserId, 'unblock'), EndUser),

    /**
     * Deletes everything that the platform has of a user. Resolves with the receipt when all rows are
     * deleted, within 10 minutes.
     *
     * @throws PlatformError `CONFLICT` while the same user is being erased.
     */
    erase: (agentId: string, externalUserId: string, params: EraseEndUserRequest = {}) =>
      call('POST', pathOf(agentId, externalUserId, 'erase'), Erasure, {
        body: params,
        retry: 'rejected',
        longTimeoutMs: erasureTimeoutMs,
      }),

    /** Exports everything that the platform has of a user. The body of the response is a ZIP archive. */
    export: (agentId: string, externalUserId: string): Promise<Response> =>
      open('POST', pathOf(agentId, externalUserId, 'export'), {
        headers: { accept: '*/*' },
        streams: true,
      }),
  };
}

/** Methods for the audit record. */
export function auditCalls(call: Call) {
  return {
    /**
     * Lists the operations of API keys and of the command line, newest first. With several filters, a page
     * may be short or empty and still have a `next_page`.
     */
    async list({ limit, page, ...filters }: ListAuditEventsParams = {}) {
      const { actor, action, subject, after, before, ...unknown } = filters;
      const names = 'actor, action, subject, after, before, limit and page';
      rejectUnknown('auditEvents.list', unknown, names);
      const query = { actor, action, subject, after, before, limit, page };
      return call('GET', ['audit_events'], AuditEventPage, { query });
    },
  };
}
