import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** An end user of an agent. */
interface User {
  readonly agentId: string;
  readonly externalUserId: string;
}

/** SQL condition of the rows of an end user. */
export function isOfUser({ agentId, externalUserId }: User): RawBuilder<SqlBool> {
  return sql<SqlBool>`agent_id = ${agentId} and external_user_id = ${externalUserId}`;
}
