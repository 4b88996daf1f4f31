import type { UserEventInput } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { SessionsTable } from '../store/schema.ts';

/** The events of one request, with the session and the caller. */
export interface SendRequest {
  readonly session: Pick<SessionsTable, 'id' | 'agent_id' | 'agent_version'>;
  readonly caller: EndUserCaller;
  readonly inputs: readonly UserEventInput[];
  /** JSON pointer of the inputs in the request body, used in validation errors. */
  readonly pointer: '/events' | '/initial_events';
}
