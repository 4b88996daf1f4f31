import { parseExact } from '../exact-json.ts';
import { fieldsOf, isObject, parseJson } from '../json.ts';
import { estimateBody } from '../model-api/completion-usage.ts';
import { newIdAt } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { readText } from '../upstreams/forward.ts';
import { unusable } from '../upstreams/upstream.ts';
import type { ChatModelFiles } from './chat-model-files.ts';
import type { Conversations } from './conversations.ts';
import type { GeneratedResponse } from './generate-response.ts';
import type { Item } from './items.ts';
import type { IdReplacer } from './replace-ids.ts';
import { conversationIdOf, type ResponseRequest } from './response-request.ts';
import type { NewItem, ResponseContext, ResponseObject, ResponseStore } from './response-store.ts';
import { inlineFiles, isReadable, resolveReferences } from './upstream-input.ts';

type DraftServices = Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'config'>;

/** Types of the last event of a stream, whose `response` is complete. */
export const finalEventTypes: readonly unknown[] = [
  'response.completed',
  'response.incomplete',
  'response.failed',
];

/** The stores that a response reads and writes. */
export interface ResponseStores {
  readonly conversations: Conversations;
  readonly files: ChatModelFiles;
  readonly responses: ResponseStore;
}

/** A response that has not been generated yet. */
export interface ResponseDraft {
  readonly id: string;
  readonly owner: string;
  readonly context: ResponseContext;
  readonly isStored: boolean;
  readonly input: readonly NewItem[];
}

/**
 * Assigns ids to a new response and its input items.
 *
 * @throws ApiError `VALIDATION_ERROR` if the input refers to an item that does not exist.
 */
export async function draftResponse(
  { random, clock }: DraftServices,
  stores: ResponseStores,
  owner: string,
  request: ResponseRequest,
): Promise<ResponseDraft> {
  const items = await resolveReferences(stores, owner, toItems(request.input));
  return {
    id: newIdAt(random, clock.now(), 'resp_'),
    owner,
    context: {
      previousResponseId: request.previous_response_id ?? null,
      conversationId: conversationIdOf(request),
    },
    isStored: request.store !== false,
    input: stores.conversations.withIds(items),
  };
}

/**
 * Returns the body for the upstream, with all preceding items.
 *
 * @throws ApiError If an item cannot be read.
 */
export async function upstreamBody(
  services: DraftServices,
  stores: ResponseStores,
  { owner, context, input }: Pick<ResponseDraft, 'owner' | 'context' | 'input'>,
  request: ResponseRequest,
): Promise<object> {
  const {
    background: _background,
    conversation: _conversation,
    previous_response_id: _previous,
    input: sent = null,
    ...rest
  } = request;
  const preceding = await stores.responses.precedingItems(owner, context);
  const items = [
    ...preceding.filter(isReadable).map(({ item }) => item),
    ...input.map(({ item }) => item as Item),
  ];
  const isPlainText = typeof sent === 'string' && preceding.length === 0;
  const hasInput = sent !== null || items.length > 0;
  return {
    ...rest,
    ...(hasInput && {
      input: isPlainText ? sent : await inlineFiles(services, stores, owner, items),
    }),
    store: false,
  };
}

/**
 * Reads a response that is not streamed, and counts its usage.
 *
 * @throws ApiError `UPSTREAM_ERROR` if the body is not a response.
 */
export async function readResponse(
  { response, settle }: GeneratedResponse,
  ids: IdReplacer,
): Promise<ResponseObject> {
  const body = parseJson(await readText(response).catch(() => ''), parseExact);
  const { usage, output } = fieldsOf(body);
  await settle(usage, Array.isArray(output) ? estimateBody(output) : 0);
  if (!isObject(body) || !Array.isArray(body.output)) throw unusable();
  return ids.replaceInResponse(body);
}

function toItems(input: ResponseRequest['input']): readonly Item[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return input ?? [];
}
