import type { ProblemCode } from '@inlay/protocol';
import { estimateTokens } from '../agent-models/estimate-usage.ts';
import { parseExact } from '../exact-json.ts';
import { isObject, parseJson } from '../json.ts';
import { describeError } from '../log/logger.ts';
import { BudgetReservedError, type LimitServices } from '../model-api/model-limits.ts';
import { readError } from '../model-api/upstream-errors.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Family } from '../upstreams/families.ts';
import { readText } from '../upstreams/forward.ts';
import { relayEvents } from '../upstreams/relay-events.ts';
import { unusable } from '../upstreams/upstream.ts';
import { type Job, JobPostponedError, JobQueue } from '../workers/job-queue.ts';
import {
  admitQueuedResponse,
  findResponseModel,
  type GeneratedResponse,
  generateResponse,
  reserveQueuedResponse,
} from './generate-response.ts';
import { IdReplacer } from './replace-ids.ts';
import {
  finalEventTypes,
  type ResponseStores,
  readResponse,
  upstreamBody,
} from './response-draft.ts';
import type { ResponseEvent, ResponseEvents } from './response-events.ts';
import type { ResponseRequest } from './response-request.ts';
import {
  type NewItem,
  type ResponseContext,
  type ResponseObject,
  serializeResponse,
} from './response-store.ts';

/**
 * Maximum number of attempts at a response. A response that exceeds the maximum fails, because it
 * may be what makes the processes crash.
 */
const maximumAttempts = 3;

/** A response that has not been executed. */
interface QueuedResponse {
  readonly id: string;
  readonly owner: string;
  readonly context: ResponseContext;
  readonly input: readonly NewItem[];
}

type BackgroundServices = LimitServices & Pick<ServiceOptions, 'secret'>;

/** Executes background responses (docs/conformance.md, 4.13.3). */
export class BackgroundResponses {
  readonly #services: BackgroundServices;
  readonly #stores: ResponseStores;
  readonly #events: ResponseEvents;
  readonly #family: Family;
  /** Null if no upstream and no model can execute responses. */
  readonly #queue: JobQueue<'chat_model_responses'> | null;

  /** Starts searching for queued responses if an upstream or a model can execute responses. */
  constructor(
    services: BackgroundServices,
    stores: ResponseStores,
    events: ResponseEvents,
    family: Family,
  ) {
    this.#services = services;
    this.#stores = stores;
    this.#events = events;
    this.#family = family;
    const offersResponses = services.config.models.some(({ supported_apis: apis }) =>
      apis.includes('responses'),
    );
    this.#queue =
      family.upstream || offersResponses
        ? new JobQueue(services, {
            table: 'chat_model_responses',
            key: 'id',
            queuedStatus: 'queued',
            maximum: services.config.limits.process.background_responses,
            perform: (job) => this.#perform(job),
          })
        : null;
  }

  /**
   * Queues a response, and returns it. The limits of the model are checked when the response is queued,
   * so that the caller gets the errors. Its cost is reserved when it is executed.
   *
   * @throws ApiError If a preceding item cannot be read, the model is not available, or one of its
   *   limits is exceeded.
   */
  async add(draft: QueuedResponse, request: ResponseRequest): Promise<ResponseObject> {
    const { store, clock } = this.#services;
    const model = findResponseModel(this.#services, this.#family, request);
    await admitQueuedResponse(this.#services, model, await this.#bodyOf(draft, request));
    const response = newResponse(draft, request, Math.floor(clock.now() / 1000));
    const { input: _, ...rest } = request;
    await store.transaction(async (transaction) => {
      await this.#stores.responses.insert(transaction, { ...draft, response }, { request: rest });
      if (!request.stream) return;
      await this.#events.append(transaction, response.id, [
        { type: 'response.created', response },
        { type: 'response.queued', response },
      ]);
    });
    this.#queue?.wake();
    return response;
  }

  /**
   * Cancels a response, unless it has ended.
   *
   * @returns The response in its terminal state, the same for each call.
   * @throws ApiError `NOT_FOUND`; `VALIDATION_ERROR` for a response without `background: true`.
   */
  async cancel(owner: string, id: string): Promise<ResponseObject> {
    const { store } = this.#services;
    const row = await this.#stores.responses.find(owner, id, 'object_not_found');
    if (row.background === 0) {
      throw new ApiError(
        'VALIDATION_ERROR',
        'Only a response that was created with `background: true` can be cancelled.',
        { familyCode: 'native_responses_operation_unsupported' },
      );
    }
    await store.db
      .updateTable('chat_model_responses')
      .set({ status: 'cancelled', request: null, worker: null, lease_id: null, run_after: null })
      .where('id', '=', id)
      .where('run_after', 'is not', null)
      .execute();
    this.stop(id);
    this.#events.notify(id);
    return this.#stores.responses.toObject(
      await this.#stores.responses.find(owner, id, 'object_not_found'),
    );
  }

  /**
   * Stops the work on a response that was cancelled or deleted. If another process works on it,
   * that process stops at its next heartbeat.
   */
  stop(id: string): void {
    this.#queue?.stop(id);
  }

  /** Resolves when no response is in progress in this process, or when `signal` is aborted. */
  async settled(signal: AbortSignal): Promise<void> {
    await this.#queue?.settled(signal);
  }

  /** Stops all work. Other processes, or this one after a restart, start again with it. */
  async close(): Promise<void> {
    await this.#queue?.close();
  }

  async #perform({ row, leaseId, signal }: Job<'chat_model_responses'>): Promise<void> {
    const { log } = this.#services;
    // The JSON was stored by `add`.
    const request = parseExact(row.request ?? '{}') as ResponseRequest;
    const draft = {
      id: row.id,
      owner: row.owner,
      context: {
        previousResponseId: row.previous_response_id,
        conversationId: row.conversation_id,
      },
      input: await this.#stores.responses.ownInput(row.id),
    };
    let response: ResponseObject;
    try {
      if (Number(row.attempt) > maximumAttempts) {
        throw new ApiError(
          'INTERNAL_ERROR',
          'The platform stopped repeatedly during the response.',
        );
      }
      response = await this.#execute(draft, request, { leaseId, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof BudgetReservedError) throw new JobPostponedError();
      if (!(error instanceof ApiError)) {
        log.error('background response failed', { response: row.id, ...describeError(error) });
      }
      response = failedResponse(parseExact(row.json) as ResponseObject, error);
    }
    await this.#storeResult(draft, leaseId, response, request.stream === true);
  }

  async #execute(
    draft: QueuedResponse,
    request: ResponseRequest,
    { leaseId, signal }: { leaseId: string; signal: AbortSignal },
  ) {
    const services = this.#services;
    const model = findResponseModel(services, this.#family, request);
    const body = await this.#bodyOf(draft, request);
    const admitted = await reserveQueuedResponse(services, model, body);
    const headers = new Headers();
    const generated = await generateResponse(services, model, { admitted, body, headers, signal });
    const { response, key } = generated;
    if (response.status !== 200) {
      const text = await readText(response);
      const { message } = readError(response.status, response.headers, text, key);
      const isRejected = response.status === 400 || response.status === 422;
      throw new ApiError(
        isRejected ? 'VALIDATION_ERROR' : 'UPSTREAM_ERROR',
        message || `The upstream responded with status ${response.status}.`,
      );
    }
    const members = { ...draft, ...draft.context, isStored: true, isBackground: true };
    const ids = new IdReplacer(services, members);
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    if (!request.stream || !isStream) return readResponse(generated, ids);
    return this.#relay(generated, ids, { id: draft.id, leaseId });
  }

  /** Stores the events of a stream as they arrive. Returns the response of the last event. */
  async #relay(
    { response, settle }: GeneratedResponse,
    ids: IdReplacer,
    work: { id: string; leaseId: string },
  ): Promise<ResponseObject> {
    let events: ResponseEvent[] = [];
    let ended: ResponseObject | undefined;
    let outputTokens = 0;
    const collect = (data: string) => {
      const event = parseJson(data, parseExact);
      if (!isObject(event) || event.type === 'response.created') return null;
      if (typeof event.delta === 'string') outputTokens += estimateTokens(event.delta);
      if (finalEventTypes.includes(event.type) && isObject(event.response)) {
        ended = ids.replaceInResponse(event.response);
      } else {
        events.push(ids.replaceInEvent(event));
      }
      return null;
    };
    try {
      for await (const _ of relayEvents(response.chunks, collect)) {
        if (events.length > 0) await this.#storeEvents(work, events);
        events = [];
        if (ended) return ended;
      }
      throw unusable();
    } finally {
      response.close();
      await settle(ended?.usage ?? null, outputTokens);
    }
  }

  /** Stores events unless another process has taken over the response. */
  async #storeEvents(
    { id, leaseId }: { id: string; leaseId: string },
    events: readonly ResponseEvent[],
  ): Promise<void> {
    await this.#services.store.transaction(async (transaction) => {
      const held = await transaction
        .selectFrom('chat_model_responses')
        .select('id')
        .where('id', '=', id)
        .where('lease_id', '=', leaseId)
        .forUpdate()
        .executeTakeFirst();
      if (held) await this.#events.append(transaction, id, events);
    });
    this.#events.notify(id);
  }

  /**
   * Builds the request for the upstream, with the preceding items. Called when the response is
   * queued, to check the limits, and again when it is executed.
   */
  #bodyOf(draft: QueuedResponse, request: ResponseRequest) {
    // `upstreamBody` adds the input of `draft`, because the stored request has none.
    const sent = { ...request, input: null, stream: request.stream === true };
    return upstreamBody(this.#services, this.#stores, draft, sent);
  }

  /** Stores the result, unless the response was cancelled, deleted or taken over. */
  async #storeResult(
    draft: QueuedResponse,
    leaseId: string,
    response: ResponseObject,
    isStreamed: boolean,
  ): Promise<void> {
    const { store } = this.#services;
    const { id, owner, context, input } = draft;
    await store.transaction(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('chat_model_responses')
        .set({
          status: response.status,
          json: serializeResponse(response),
          request: null,
          worker: null,
          lease_id: null,
          run_after: null,
        })
        .where('id', '=', id)
        .where('lease_id', '=', leaseId)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      await this.#stores.responses.insertOutput(transaction, response);
      if (isStreamed) {
        const type = `response.${response.status}`;
        await this.#events.append(transaction, id, [{ type, response }]);
      }
      const ended = { owner, context, response, input };
      await this.#stores.responses.appendToConversation(transaction, ended);
    });
    this.#events.notify(id);
  }
}

/**
 * Creates a queued response with the members of the request, or else the defaults of the official
 * API.
 */
function newResponse(
  { id, context }: QueuedResponse,
  request: ResponseRequest,
  createdAt: number,
): ResponseObject {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: 'queued',
    background: true,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model: request.model,
    output: [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: context.previousResponseId,
    ...(context.conversationId !== null && { conversation: { id: context.conversationId } }),
    reasoning: request.reasoning ?? null,
    store: true,
    temperature: request.temperature ?? null,
    text: request.text ?? { format: { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? null,
    truncation: request.truncation ?? 'disabled',
    usage: null,
    user: request.user ?? null,
  };
}

/** Codes of the official API for failed responses. */
const responseErrorCodes: Partial<Record<ProblemCode, string>> = {
  VALIDATION_ERROR: 'invalid_prompt',
  QUOTA_EXHAUSTED: 'rate_limit_exceeded',
};

function failedResponse(queued: ResponseObject, error: unknown): ResponseObject {
  const known = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const code = responseErrorCodes[known.code] ?? 'server_error';
  return { ...queued, status: 'failed', output: [], error: { code, message: known.message } };
}
