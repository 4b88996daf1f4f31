import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type SqlBool, sql } from 'kysely';
import { ZipFile } from 'yazl';
import type { EndUserCaller } from '../auth/caller.ts';
import { isoTime, isoTimeOrNull } from '../clock.ts';
import { listConsents } from '../consents/consents.ts';
import { listFeedback } from '../events/feedback.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { exportSession } from '../sessions/export-session.ts';
import { idsOf } from '../sessions/forget-user.ts';
import { toSessionRecord } from '../sessions/session-object.ts';
import { isOfUser } from '../store/is-of-user.ts';
import { toIssuanceRecord } from '../tokens/issuances.ts';

type User = Pick<EndUserCaller, 'agentId' | 'externalUserId'>;
type ExportServices = Pick<Services, 'agents' | 'clock' | 'config' | 'events' | 'files' | 'store'>;

/** A file of the archive. */
interface Entry {
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array | string> | Iterable<string>;
  /** Whether the content is text, which is compressed. */
  readonly isText: boolean;
}

/** Maximum issuance records that are in memory. */
const tokensPerPage = 500;

/**
 * Exports everything that the store has of an end user of an agent, as a ZIP archive. Reads the next part
 * when the previous one was sent, so that the memory does not depend on the size of the archive.
 */
export async function* exportUser(
  services: ExportServices,
  user: User,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  let current: Readable | undefined;
  const addEntries = async () => {
    for await (const { path, content, isText } of entriesOf(services, user)) {
      current = Readable.from(content, { objectMode: false });
      const closed = once(current, 'close');
      zip.addReadStream(current, path, { compress: isText });
      await closed;
      if (output.destroyed) return;
    }
    zip.end();
  };
  const adding = addEntries().catch((error: unknown) => output.destroy(error as Error));
  try {
    yield* output;
    await adding;
  } finally {
    // The caller may have disconnected.
    output.destroy();
    current?.destroy();
  }
}

async function* entriesOf(services: ExportServices, user: User): AsyncGenerator<Entry> {
  const { agents, events, files, store } = services;
  yield json('user.json', await describeUser(services, user));
  yield {
    path: 'embed_tokens.json',
    content: tokensAsJson(services, user),
    isText: true,
  };
  const consents = await listConsents(store.db, user);
  if (consents.length > 0) yield json('consents.json', consents);
  for (const id of await idsOf(store.db, 'sessions', user)) {
    const row = await store.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', id)
      .where(isOfUser(user))
      .executeTakeFirst();
    // Deleted since.
    if (!row) continue;
    const record = toSessionRecord(row, agents.find(user.agentId));
    for (const format of ['markdown', 'json'] as const) {
      const { name, text } = exportSession({ ...services, events }, record, format, {
        kind: 'backend',
      });
      const [, stem, extension] = /^(.*)(\.\w+)$/.exec(name) ?? [];
      yield { path: `conversations/${stem}-${id}${extension}`, content: text, isText: true };
    }
    const feedback = await listFeedback(services, row);
    if (feedback.length > 0) yield json(`feedback/${id}.json`, feedback);
  }
  for (const id of await idsOf(store.db, 'files', user)) {
    const found = await files.read({ ...user, sessionId: null }, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
      throw error;
    });
    if (found)
      yield { path: `files/${id}-${found.file.filename}`, content: found.bytes, isText: false };
  }
}

function json(path: string, value: object): Entry {
  return { path, content: [JSON.stringify(value, null, 2)], isText: true };
}

async function describeUser({ store: { db }, clock }: ExportServices, user: User): Promise<object> {
  const visitor = await db
    .selectFrom('visitors')
    .select('created_at')
    .where(isOfUser(user))
    .executeTakeFirst();
  const block = await db
    .selectFrom('end_user_blocks')
    .select(['blocked', 'updated_at'])
    .where(isOfUser(user))
    .executeTakeFirst();
  const seen = await db
    .selectFrom('end_users')
    .select(['first_seen_at', 'last_seen_at'])
    .where(isOfUser(user))
    .executeTakeFirst();
  const days = await db.selectFrom('end_user_days').selectAll().where(isOfUser(user)).execute();
  return {
    agent_id: user.agentId,
    external_user_id: user.externalUserId,
    exported_at: isoTime(clock.now()),
    first_seen_at: isoTimeOrNull(seen ? Number(seen.first_seen_at) : null),
    last_seen_at: isoTimeOrNull(seen ? Number(seen.last_seen_at) : null),
    visitor_since: isoTimeOrNull(visitor ? Number(visitor.created_at) : null),
    blocked_at: isoTimeOrNull(block?.blocked === 1 ? Number(block.updated_at) : null),
    usage: days.map((row) => ({
      day: row.day,
      message_bytes: Number(row.message_bytes),
      file_bytes: Number(row.file_bytes),
      empty_sessions: Number(row.empty_sessions),
    })),
  };
}

/** The issuance records of a user, with their `system_message`. */
async function* tokensAsJson(
  { store }: ExportServices,
  user: User,
): AsyncGenerator<string, void, undefined> {
  let separator = '[\n';
  for (let last = { created_at: 0, id: '' }; ; ) {
    const rows = await store.db
      .selectFrom('issuances')
      .selectAll()
      .where(isOfUser(user))
      .where(sql<SqlBool>`(created_at, id) > (${last.created_at}, ${last.id})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(tokensPerPage)
      .execute();
    for (const row of rows) {
      const message = row.system_message === null ? null : JSON.parse(row.system_message);
      yield separator + JSON.stringify({ ...toIssuanceRecord(row), system_message: message });
      separator = ',\n';
      last = { created_at: Number(row.created_at), id: row.id };
    }
    if (rows.length < tokensPerPage) break;
  }
  yield separator === '[\n' ? '[]' : '\n]';
}
