import type { Context } from 'hono';
import { type Selectable, sql, type Transaction } from 'kysely';
import { dayMs } from '../clock.ts';
import type { CatalogueModel } from '../config/models.ts';
import { parseExact, stringifyExact } from '../exact-json.ts';
import type { AppEnv } from '../http/env.ts';
import { isAfter } from '../http/paging.ts';
import { bodyPieces, tooLarge } from '../http/read-body.ts';
import { streamBody } from '../http/stream-body.ts';
import { invalid } from '../http/validate.ts';
import { fieldsOf } from '../json.ts';
import { findModel } from '../model-api/catalogue.ts';
import {
  type AdmittedRequest,
  admitToModel,
  hasBudget,
  type LimitServices,
  requireBudgetOf,
  settleVideo,
} from '../model-api/model-limits.ts';
import { releaseDeletedVideos, releaseVideo } from '../model-api/model-reservations.ts';
import { isRejection } from '../model-api/upstream-errors.ts';
import { ApiError } from '../problems/api-error.ts';
import { newIdAt } from '../random.ts';
import { deleteSome, type SweepStep } from '../retention/sweep-step.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { ChatModelVideosTable, Schema } from '../store/schema.ts';
import type { Family } from '../upstreams/families.ts';
import type { UpstreamResponse } from '../upstreams/forward.ts';
import { responseHeaders } from '../upstreams/forwarded-headers.ts';
import { callUpstream, readJsonObject, requireUpstream, unusable } from '../upstreams/upstream.ts';
import type { CheckedForm, FormPart } from './check-form.ts';
import { type ListQuery, toList, unknownCursor } from './lists.ts';

type VideoRow = Selectable<ChatModelVideosTable>;
type VideoServices = LimitServices & Pick<ServiceOptions, 'secret'>;
type Fields = Record<string, unknown>;

/** The members of a request that determine its cost. */
interface VideoFields {
  readonly model?: unknown;
  readonly seconds?: unknown;
}

/** How a request was admitted. */
interface Admission {
  /** Id of its model; null if it is not in the catalogue. */
  model: string | null;
  request: AdmittedRequest | null;
  /** Whether the caller has a response. The upstream may respond before it has read the request. */
  isOver: boolean;
}

/** Maximum number of tasks whose status is requested from the upstream at the same time. */
const concurrentReads = 4;

/**
 * Video tasks (docs/conformance.md, 4.13.8). The upstream executes a task; the server
 * stores it under a new id.
 */
export class Videos {
  readonly #services: VideoServices;
  readonly #family: Family;

  constructor(services: VideoServices, family: Family) {
    this.#services = services;
    this.#family = family;
  }

  /**
   * Forwards the request, and stores the task. A form is forwarded as it arrives; JSON is read first.
   *
   * @throws ApiError If the model does not offer videos, or its limits or budget are used up.
   */
  async create(c: Context<AppEnv>, owner: string, recheck: () => Promise<void>): Promise<Response> {
    const admission: Admission = { model: null, request: null, isOver: false };
    try {
      return await this.#create(c, owner, recheck, admission);
    } catch (error) {
      await admission.request?.release();
      throw error;
    } finally {
      admission.isOver = true;
    }
  }

  async #create(
    c: Context<AppEnv>,
    owner: string,
    recheck: () => Promise<void>,
    admission: Admission,
  ): Promise<Response> {
    const { store, clock, random, config } = this.#services;
    const { forwarded_bytes: limit, upload_idle_seconds: idleSeconds } = config.limits.request;
    let refusal: unknown;
    async function* received() {
      yield* bodyPieces(c, { limit, clock, idleSeconds });
      // The credential may have ended during a long upload.
      await recheck();
    }
    const { contentType, pieces } = await this.#checkModel(
      received(),
      c.req.header('content-type') ?? '',
      admission,
    );
    async function* arriving() {
      try {
        yield* pieces;
      } catch (error) {
        refusal = error;
        throw error;
      }
    }
    const sent = { body: arriving(), contentType };
    const response = await this.#call(c, '/videos', 'POST', sent).catch((error: unknown) => {
      throw refusal ?? error;
    });
    const { model, request } = admission;
    if (response.status >= 400) {
      await request?.release();
      return this.#relayError(c, response, model);
    }
    const task = await readJsonObject(response);
    if (typeof task.id !== 'string') throw unusable();
    const now = clock.now();
    const row: VideoRow = {
      id: newIdAt(random, now, 'video_'),
      owner,
      upstream_id: task.id,
      json: JSON.stringify(task),
      created_at: now,
      expires_at: now + config.retention.responses_days * dayMs,
      model,
    };
    await store.transaction(async (db) => {
      await db.insertInto('chat_model_videos').values(row).execute();
      await request?.leaveToVideo(db, row.id, Number(task.seconds));
      if (hasEnded(row)) await this.#settle(db, row);
    });
    return c.json(toVideo(row));
  }

  /** Reads a task, with its current status at the upstream. */
  async read(c: Context<AppEnv>, owner: string, id: string): Promise<Response> {
    const row = await this.#find(owner, id);
    const response = await this.#call(c, pathOf(row), 'GET');
    if (response.status >= 400) return this.#relayTaskError(c, response, row);
    return c.json(toVideo(await this.#update(row, await readJsonObject(response))));
  }

  /** Lists tasks. Reads the status of tasks that have not ended from the upstream. */
  async list(c: Context<AppEnv>, owner: string, { limit, order, after }: ListQuery) {
    requireUpstream(this.#services, this.#family);
    let query = this.#query(owner)
      .orderBy('created_at', order)
      .orderBy('id', order)
      .limit(limit + 1);
    if (after !== undefined) {
      const last = await this.#query(owner).where('id', '=', after).executeTakeFirst();
      if (!last) throw unknownCursor();
      const position = { at: Number(last.created_at), id: last.id };
      query = query.where(isAfter('created_at', position, order));
    }
    const rows = await query.execute();
    // The row after the page only shows that another page follows.
    const listed = rows.slice(0, limit);
    const current: VideoRow[] = [];
    for (let index = 0; index < listed.length; index += concurrentReads) {
      const part = listed.slice(index, index + concurrentReads);
      current.push(...(await Promise.all(part.map((row) => this.#refresh(c, row)))));
    }
    return { ...toList(current.map(toVideo), limit), has_more: rows.length > limit };
  }

  /** Deletes a task here and at the upstream. */
  async delete(c: Context<AppEnv>, owner: string, id: string): Promise<Response> {
    // Bills the video if it was completed after its status was last read.
    const row = await this.#refresh(c, await this.#find(owner, id));
    const response = await this.#call(c, pathOf(row), 'DELETE');
    // A task that the upstream does not have is deleted here, too.
    if (response.status >= 400 && response.status !== 404) {
      return this.#relayTaskError(c, response, row);
    }
    response.close();
    const { store, config } = this.#services;
    await store.db.deleteFrom('chat_model_videos').where('id', '=', id).execute();
    if (hasBudget(config, row.model)) await store.transaction((db) => releaseVideo(db, id));
    return c.json({ id, object: 'video.deleted', deleted: true });
  }

  /** Streams the content of a completed task. */
  async download(
    c: Context<AppEnv>,
    owner: string,
    id: string,
    variant: 'video' | 'thumbnail',
  ): Promise<Response> {
    const row = await this.#refresh(c, await this.#find(owner, id));
    const status = statusOf(row);
    if (status !== 'completed') {
      throw new ApiError(
        'CONFLICT',
        `The video is ${status}. It can be downloaded when it is completed.`,
        { familyCode: 'video_not_ready' },
      );
    }
    const path = `${pathOf(row)}/content?variant=${variant}`;
    const response = await this.#call(c, path, 'GET');
    if (response.status >= 400) return this.#relayTaskError(c, response, row);
    const { status: upstreamStatus, chunks, headers } = response;
    return streamBody(c, this.#services.log, {
      status: upstreamStatus,
      chunks,
      close: () => response.close(),
      headers: responseHeaders(headers),
    });
  }

  /** A step of the sweep: deletes expired tasks. */
  readonly deleteExpired: SweepStep = async () => {
    const { store, clock } = this.#services;
    const isExpired = sql`expires_at <= ${clock.now()}`;
    const count = await deleteSome(store.db, 'chat_model_videos', ['id'], isExpired);
    if (count > 0) await store.transaction(releaseDeletedVideos);
    return count;
  };

  /**
   * Returns the body for the upstream. The request is admitted before the end of the body is read.
   *
   * @throws ApiError Also while the body is read.
   */
  async #checkModel(
    received: AsyncIterable<Uint8Array>,
    contentType: string,
    admission: Admission,
  ): Promise<CheckedForm> {
    const admit = (fields: VideoFields) => this.#admit(fields, admission);
    if (/^application\/json\b/i.test(contentType)) {
      return { contentType, pieces: this.#checkJson(received, admit) };
    }
    // Loaded on first use, so that the server starts faster.
    const { checkForm } = await import('./check-form.ts');
    const fields = { model: undefined as unknown, seconds: undefined as unknown };
    const check = async ({ name, value }: FormPart) => {
      if (name === 'model' || name === 'seconds') fields[name] = value;
      // A refusal of a large form should not wait for its end.
      if (name === 'model' && this.#listedModel(value))
        await requireBudgetOf(this.#services, value);
    };
    return checkForm(received, contentType, check, () => admit(fields));
  }

  /**
   * Admits a request if the limits and the budget of its model allow it. A model that is not in the
   * catalogue has none. Videos are billed by seconds, so that a request counts no tokens.
   *
   * @throws ApiError `MODEL_PROTOCOL_NOT_OFFERED`, `QUOTA_EXHAUSTED`, or `RATE_LIMITED` with the scope
   *   `model`.
   */
  async #admit({ model, seconds }: VideoFields, admission: Admission): Promise<void> {
    const listed = this.#listedModel(model);
    if (!listed) return;
    const length = Number(seconds);
    const estimate = { inputTokens: 0, outputLimit: 0, videoSeconds: length > 0 ? length : null };
    admission.model = listed.id;
    admission.request = await admitToModel(this.#services, listed, estimate);
    if (admission.isOver) await admission.request.release();
  }

  /**
   * Returns the model of the catalogue that a request names; null if it is not in the catalogue.
   *
   * @throws ApiError `MODEL_PROTOCOL_NOT_OFFERED`
   */
  #listedModel(name: unknown): CatalogueModel | null {
    const { config } = this.#services;
    const listed = config.models.find(({ id }) => id === name);
    return listed ? findModel(config, listed.id, 'videos') : null;
  }

  /** Relays a JSON body after it was admitted. */
  async *#checkJson(
    pieces: AsyncIterable<Uint8Array>,
    admit: (fields: VideoFields) => Promise<void>,
  ): AsyncGenerator<Uint8Array> {
    const limit = this.#services.config.limits.request.model_json_bytes;
    const read: Uint8Array[] = [];
    let size = 0;
    for await (const piece of pieces) {
      size += piece.byteLength;
      if (size > limit) throw tooLarge(limit);
      read.push(piece);
    }
    // The upstream must not read another model than the one that is checked: from a repeated member, or
    // from notations that only its parser accepts.
    const { fields, json } = parseBody(Buffer.concat(read));
    await admit(fields);
    yield Buffer.from(json);
  }

  #call(
    c: Context<AppEnv>,
    path: string,
    method: string,
    sent: { body: AsyncIterable<Uint8Array>; contentType: string } | { body: null } = {
      body: null,
    },
  ): Promise<UpstreamResponse> {
    return callUpstream(this.#services, requireUpstream(this.#services, this.#family), {
      path,
      method,
      headers: c.req.raw.headers,
      ...sent,
      signal: c.req.raw.signal,
    });
  }

  /**
   * Relays an error that the caller caused.
   *
   * @param model The id of the model; null if it is not in the catalogue, so that all errors are relayed.
   * @throws ApiError `provider_unavailable`, or `RATE_LIMITED` for a 429, for any other error.
   */
  async #relayError(
    c: Context<AppEnv>,
    response: UpstreamResponse,
    model: string | null,
    isCallers = isRejection(response.status),
  ): Promise<Response> {
    // Loaded on first use, so that the server starts faster.
    const { failureOf, relayError } = await import('../upstreams/pass-through.ts');
    const upstream = requireUpstream(this.#services, this.#family);
    if (model !== null && !isCallers) throw await failureOf(this.#services, upstream, response);
    const { key } = upstream;
    return relayError(c, response, { headers: responseHeaders(response.headers), key });
  }

  /** Relays an error about a task: the upstream may have deleted it, or be working on it. */
  #relayTaskError(c: Context<AppEnv>, response: UpstreamResponse, { model }: VideoRow) {
    const { status } = response;
    const isCallers = isRejection(status) || status === 404 || status === 409;
    return this.#relayError(c, response, model, isCallers);
  }

  /** Returns the row with its current status, or with the last known one if the upstream fails. */
  async #refresh(c: Context<AppEnv>, row: VideoRow): Promise<VideoRow> {
    if (hasEnded(row)) return row;
    const response = await this.#call(c, pathOf(row), 'GET').catch(() => null);
    if (response?.status === 200) return this.#update(row, await readJsonObject(response));
    response?.close();
    return row;
  }

  /** Stores the current state of a task. Settles its cost once, when the task ends. */
  async #update(row: VideoRow, task: Fields): Promise<VideoRow> {
    const { store } = this.#services;
    const updated = { ...row, json: JSON.stringify(task) };
    if (updated.json === row.json) return row;
    const isEnd = hasEnded(updated) && statusOf(updated) !== statusOf(row);
    await store.transaction(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('chat_model_videos')
        .set({ json: updated.json })
        .where('id', '=', row.id)
        .where('json', '=', row.json)
        .executeTakeFirst();
      // If no row was updated, another request has stored the state.
      if (isEnd && Number(numUpdatedRows) > 0) await this.#settle(db, updated);
    });
    return updated;
  }

  /**
   * Bills the video of a task that has ended. The upstream may return another name for a model of the
   * catalogue, for example with a date.
   */
  async #settle(db: Transaction<Schema>, row: VideoRow): Promise<void> {
    const task: Fields = JSON.parse(row.json);
    const model = row.model ?? String(task.model);
    const seconds = task.status === 'completed' ? Number(task.seconds) : 0;
    await settleVideo(this.#services, db, { id: row.id, model, seconds });
  }

  async #find(owner: string, id: string): Promise<VideoRow> {
    const row = await this.#query(owner).where('id', '=', id).executeTakeFirst();
    if (row) return row;
    throw new ApiError('NOT_FOUND', `There is no video \`${id.slice(0, 100)}\`.`, {
      familyCode: 'video_not_found',
    });
  }

  #query(owner: string) {
    const { store, clock } = this.#services;
    return store.db
      .selectFrom('chat_model_videos')
      .selectAll()
      .where('owner', '=', owner)
      .where('expires_at', '>', clock.now());
  }
}

/**
 * Reads the members of a JSON body, and serializes the body.
 *
 * @throws ApiError `VALIDATION_ERROR` if the body is not JSON in UTF-8, or nested so deeply that it
 *   cannot be serialized.
 */
function parseBody(bytes: Uint8Array): { fields: VideoFields; json: string } {
  try {
    const value = parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { fields: fieldsOf(value), json: stringifyExact(value) };
  } catch {
    throw invalid([
      { pointer: '', message: 'is not valid JSON in UTF-8, or is nested too deeply' },
    ]);
  }
}

function toVideo({ id, json }: VideoRow): Fields {
  return { ...JSON.parse(json), id };
}

function statusOf({ json }: VideoRow): string {
  return String(JSON.parse(json).status);
}

function hasEnded(row: VideoRow): boolean {
  return !['queued', 'in_progress'].includes(statusOf(row));
}

function pathOf({ upstream_id }: VideoRow): string {
  return `/videos/${encodeURIComponent(upstream_id)}`;
}
