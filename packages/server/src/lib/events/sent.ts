import type { UserEventInput } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { SessionsTable } from '../store/schema.ts';

/** What a person sends into a session. */
export interface Sent {
  readonly session: Pick<SessionsTable, 'id' | 'agent_id' | 'agent_version'>;
  readonly caller: EndUserCaller;
  readonly inputs: readonly UserEventInput[];
  /** Where the inputs stand in the body, for the pointers of what is refused. */
  readonly pointer: '/events' | '/initial_events';
}
