import type { Context as HonoContext } from 'hono';
import { estimateTokens } from '../agent-models/estimate-usage.ts';
import { parseExact, stringifyExact } from '../exact-json.ts';
import type { AppEnv } from '../http/env.ts';
import { encode, streamBody } from '../http/stream-body.ts';
import { isObject, parseJson } from '../json.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Family } from '../upstreams/families.ts';
import { responseHeaders } from '../upstreams/forwarded-headers.ts';
import { relayError } from '../upstreams/pass-through.ts';
import { relayEvents } from '../upstreams/relay-events.ts';
import { unusable } from '../upstreams/upstream.ts';
import {
  admitResponseRequest,
  findResponseModel,
  type GeneratedResponse,
  generateResponse,
} from './generate-response.ts';
import { IdReplacer } from './replace-ids.ts';
import {
  draftResponse,
  finalEventTypes,
  type ResponseDraft,
  type ResponseStores,
  readResponse,
  upstreamBody,
} from './response-draft.ts';
import type { ResponseRequest } from './response-request.ts';
import type { ResponseObject } from './response-store.ts';

/**
 * Creates a response. The upstream gets the whole input and stores nothing. This server stores the
 * response under its own id, unless the request has `store: false`.
 */
export async function createResponse(
  c: HonoContext<AppEnv>,
  services: Services,
  { stores, family }: { stores: ResponseStores; family: Family },
  owner: string,
  request: ResponseRequest,
): Promise<Response> {
  const model = findResponseModel(services, family, request);
  const draft = await draftResponse(services, stores, owner, request);
  const body = await upstreamBody(services, stores, draft, request);
  const admitted = await admitResponseRequest(services, model, body);
  const { headers: sent, signal } = c.req.raw;
  const sending = { admitted, body, headers: sent, signal };
  const generated = await generateResponse(services, model, sending);
  const { response, key } = generated;
  const headers = responseHeaders(response.headers);
  const { 'content-length': _, ...headersWithoutLength } = headers;
  if (response.status !== 200) {
    services.log.warn('upstream responded with an error', {
      family: family.name,
      status: response.status,
    });
    return relayError(c, response, { headers, key });
  }
  const ids = new IdReplacer(services, { ...draft, ...draft.context, isBackground: false });
  if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
    const object = await readResponse(generated, ids);
    await stores.responses.save({ ...draft, response: object }, draft.isStored);
    return c.body(stringifyExact(object), 200, {
      'content-type': 'application/json',
      ...headersWithoutLength,
    });
  }
  const chunks = encode(streamResponse(services, stores, draft, ids, generated));
  return streamBody(c, services.log, { chunks, headers: headersWithoutLength });
}

/**
 * Relays the events of a stream. Counts the usage and stores the response before it relays the last
 * event.
 */
async function* streamResponse(
  { log }: Pick<Services, 'log'>,
  { responses }: ResponseStores,
  draft: ResponseDraft,
  ids: IdReplacer,
  { response, isCounted, settle }: GeneratedResponse,
): AsyncGenerator<string> {
  let ended: ResponseObject | undefined;
  let isSaved = false;
  let lastNumber = -1;
  let outputTokens = 0;
  const relay = (data: string): string => {
    const event = parseJson(data, parseExact);
    if (!isObject(event)) return data;
    if (isCounted && typeof event.delta === 'string') outputTokens += estimateTokens(event.delta);
    const changed = ids.replaceInEvent(event);
    if (typeof event.sequence_number === 'number') lastNumber = event.sequence_number;
    if (finalEventTypes.includes(event.type) && isObject(event.response)) {
      ended = ids.replaceInResponse(event.response);
    }
    return stringifyExact(changed);
  };
  try {
    for await (const text of relayEvents(response.chunks, relay)) {
      // The caller can continue the response as soon as it gets the last event.
      if (ended && !isSaved) {
        await settle(ended.usage, outputTokens);
        await responses.save({ ...draft, response: ended }, draft.isStored);
        isSaved = true;
      }
      yield text;
    }
    if (isSaved) return;
    log.warn('upstream ended early', { response: draft.id });
    yield errorEvent(unusable(), lastNumber + 1);
  } catch (error) {
    log.warn('response not completed', { response: draft.id, ...describeError(error) });
    yield errorEvent(error instanceof ApiError ? error : unusable(), lastNumber + 1);
  } finally {
    response.close();
    await settle(null, outputTokens);
  }
}

/**
 * Formats an error that occurs after the status was sent, as an event of the official API. The members
 * are also in `error`, as the official API sends them: its clients throw an exception for `error` only.
 */
function errorEvent({ code: problemCode, message }: ApiError, sequenceNumber: number): string {
  const code = problemCode.toLowerCase();
  const event = {
    type: 'error',
    code,
    message,
    param: null,
    error: { type: 'server_error', code, message, param: null },
    sequence_number: sequenceNumber,
  };
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
}
