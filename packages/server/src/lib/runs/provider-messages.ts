import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { ProviderMessage } from '../agent-models/model.ts';
import type { ModelConfig } from '../config/model.ts';
import { prepare } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';

/** An assistant message of a provider, with the ids of the events of its tool calls, in their order. */
export interface StoredProviderMessage {
  readonly message: ProviderMessage;
  readonly callIds: readonly string[];
}

/** The stored messages of a session, by the id of their `span.model_request_start`. */
export type ProviderMessages = ReadonlyMap<string, StoredProviderMessage>;

/**
 * Identifies the model and the endpoint that a message belongs to. Other models may reject its ids,
 * signatures and unknown members.
 */
function originOf(model: ModelConfig): string {
  const endpoint = model.provider === 'scripted' ? '' : `${model.base_url}\n${model.model}`;
  return createHash('sha256').update(endpoint).digest('base64url');
}

const findMessages = prepare((db) =>
  db
    .selectFrom('provider_messages')
    .select(['request_id', 'call_ids', 'message'])
    .where('session_id', '=', '')
    .where('origin', '=', ''),
);

/** Reads the messages of a session that the model itself sent. */
export async function loadProviderMessages(
  db: Kysely<Schema>,
  sessionId: string,
  model: ModelConfig,
): Promise<ProviderMessages> {
  // The server sends no such messages to itself.
  if (model.provider === 'scripted') return new Map();
  const rows = await findMessages(db, sessionId, originOf(model));
  return new Map(
    rows.map((row) => [
      row.request_id,
      { message: JSON.parse(row.message), callIds: JSON.parse(row.call_ids) },
    ]),
  );
}

/**
 * Stores a message in the transaction that appends the events of its response.
 *
 * @returns Its length in bytes, which counts against `limits.session.log_bytes`.
 */
export async function storeProviderMessage(
  transaction: Transaction<Schema>,
  request: { sessionId: string; requestId: string; model: ModelConfig },
  { message, callIds }: StoredProviderMessage,
): Promise<number> {
  const row = {
    session_id: request.sessionId,
    request_id: request.requestId,
    origin: originOf(request.model),
    call_ids: JSON.stringify(callIds),
    message: JSON.stringify(message),
  };
  await transaction.insertInto('provider_messages').values(row).execute();
  return Buffer.byteLength(row.message);
}
