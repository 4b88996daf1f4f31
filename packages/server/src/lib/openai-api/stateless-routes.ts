import { ChatCompletionRequest, type ModelApi } from '@inlay/protocol';
import type { Context } from 'hono';
import type { CatalogueModel } from '../config/models.ts';
import { stringifyExact } from '../exact-json.ts';
import type { AppEnv } from '../http/env.ts';
import { type Route, route } from '../http/route.ts';
import { estimateBody } from '../model-api/completion-usage.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { chatModelError } from '../upstreams/error-bodies.ts';
import type { Family } from '../upstreams/families.ts';
import { responseHeaders } from '../upstreams/forwarded-headers.ts';
import type { PassThroughOptions } from '../upstreams/pass-through.ts';
import { callUpstream, readJsonObject, requireUpstream } from '../upstreams/upstream.ts';
import type { ChatModel } from './chat-model.ts';
import type { FormPart } from './check-form.ts';
import { findListedModel } from './model-providers.ts';
import { EmbeddingRequest, ImageRequest, SpeechRequest } from './requests.ts';

/** Protocols that have no endpoint in the chat-model family. */
const otherFamilyProtocols: readonly string[] = ['messages', 'generate_content'];

const commonDescription = { audience: 'backend', response: null } as const;
const chatDescription = { ...commonDescription, tag: 'Chat completions' } as const;
const modelsDescription = { ...commonDescription, tag: 'Models' } as const;
const mediaDescription = { ...commonDescription, tag: 'Images and audio' } as const;

/**
 * Routes of the chat-model family that store nothing (docs/conformance.md, 4.13). Requests
 * are forwarded to the upstream, or, for a model of the catalogue, to its providers.
 */
export function statelessRoutes(services: Services, chatModel: ChatModel, family: Family): Route[] {
  const { config } = services;
  const base = `${family.prefix}${family.version}`;
  // Loaded on first use, so that the server starts faster.
  const loadGateway = () => import('../upstreams/pass-through.ts');
  const forward = async (
    c: Context<AppEnv>,
    body?: Pick<PassThroughOptions, 'sent' | 'contentType'>,
  ) => (await loadGateway()).passThrough(c, services, family, body);
  const forwardForm = async (
    { c, recheck }: { c: Context<AppEnv>; recheck: () => Promise<void> },
    api: ModelApi,
    checkPart: (part: FormPart) => void = () => {},
  ) => {
    const { withForm } = await import('./read-form.ts');
    return withForm(c, services, checkPart, async (form) => {
      // The credential may have ended during a long upload.
      await recheck();
      const { body, inputTokens, withModel: bodyFor } = form;
      const model = findListedModel(config, family, form.model, api);
      if (!model) return forward(c, body);
      const { forwardToProviders } = await import('./forward-to-providers.ts');
      return forwardToProviders(c, services, family, { model, inputTokens, bodyFor });
    });
  };
  const forwardModel = async (
    { c, body }: { c: Context<AppEnv>; body: { model?: string | null | undefined } },
    api: ModelApi,
  ) => {
    const model = findListedModel(config, family, body.model, api);
    if (!model) return forward(c, { sent: Buffer.from(stringifyExact(body)) });
    const { forwardToProviders } = await import('./forward-to-providers.ts');
    return forwardToProviders(c, services, family, {
      model,
      inputTokens: estimateBody(body),
      bodyFor: async (name) => ({ sent: Buffer.from(stringifyExact({ ...body, model: name })) }),
    });
  };
  const notImplemented = (path: string, name: string) =>
    route(
      {
        ...commonDescription,
        tag: 'Responses',
        method: 'post',
        path,
        accepts: '*/*',
        summary: name,
      },
      () => {
        throw new ApiError('not_implemented', `The platform has not implemented ${name} yet.`);
      },
    );
  const retrieveModel = route(
    {
      ...modelsDescription,
      method: 'get',
      path: `${base}/models/:model{.+}`,
      summary: 'Retrieve a model',
    },
    ({ c, param }) => {
      const known = config.models.find(({ id }) => id === param('model'));
      if (known && isChatModel(known)) return c.json(toModel(known));
      if (!known && family.upstream) return forward(c);
      throw new ApiError('MODEL_NOT_FOUND', 'There is no such model here.', { param: 'model' });
    },
  );

  return [
    route(
      {
        ...chatDescription,
        method: 'post',
        path: `${base}/chat/completions`,
        summary: 'Complete a chat',
        body: ChatCompletionRequest,
        bodyLimit: 'model_json_bytes',
        exactBody: true,
      },
      async ({ c, caller, body: request }) => {
        const { inlineChatFiles } = await import('./upstream-input.ts');
        const messages = await inlineChatFiles(services, chatModel, caller.owner, request.messages);
        const body = { ...request, messages: [...messages] };
        if (!findListedModel(config, family, body.model, 'chat_completions')) {
          return forward(c, { sent: Buffer.from(stringifyExact(body)) });
        }
        const { respondWithCompletion } = await import('../model-api/respond-with-completion.ts');
        return respondWithCompletion(c, services, body, (problem) =>
          chatModelError({ problem, requestId: c.get('requestId') }),
        );
      },
    ),
    route(
      { ...modelsDescription, method: 'get', path: `${base}/models`, summary: 'List the models' },
      async ({ c }) => {
        const ownModels = config.models.filter(isChatModel).map(toModel);
        if (!family.upstream) return c.json({ object: 'list', data: ownModels });
        const upstream = requireUpstream(services, family);
        const response = await callUpstream(services, upstream, {
          method: 'GET',
          path: `/models${new URL(c.req.url).search}`,
          headers: c.req.raw.headers,
          body: null,
          signal: c.req.raw.signal,
        });
        if (response.status >= 400) {
          const headers = responseHeaders(response.headers);
          return (await loadGateway()).relayError(c, response, { headers, key: upstream.key });
        }
        const others = modelsOf(await readJsonObject(response));
        const listed = new Set(config.models.map(({ id }) => id));
        const data = [...ownModels, ...others.filter(({ id }) => !listed.has(id))];
        return c.json({ object: 'list', data });
      },
    ),
    retrieveModel,
    route(
      {
        ...chatDescription,
        method: 'post',
        path: `${base}/embeddings`,
        summary: 'Create embeddings',
        body: EmbeddingRequest,
        bodyLimit: 'model_json_bytes',
        exactBody: true,
      },
      (call) => forwardModel(call, 'embeddings'),
    ),
    route(
      {
        ...mediaDescription,
        method: 'post',
        path: `${base}/images/generations`,
        summary: 'Generate images',
        body: ImageRequest,
        bodyLimit: 'model_json_bytes',
        exactBody: true,
      },
      (call) => forwardModel(call, 'image_generations'),
    ),
    route(
      {
        ...mediaDescription,
        method: 'post',
        path: `${base}/images/edits`,
        summary: 'Edit images',
        accepts: 'multipart/form-data',
      },
      (call) => forwardForm(call, 'image_edits'),
    ),
    route(
      {
        ...mediaDescription,
        method: 'post',
        path: `${base}/audio/speech`,
        summary: 'Generate speech',
        body: SpeechRequest,
        bodyLimit: 'model_json_bytes',
        exactBody: true,
      },
      (call) => forwardModel(call, 'speech'),
    ),
    route(
      {
        ...mediaDescription,
        method: 'post',
        path: `${base}/audio/transcriptions`,
        summary: 'Transcribe audio',
        accepts: 'multipart/form-data',
      },
      async (call) => {
        const { checkTranscription } = await import('./check-transcription.ts');
        return forwardForm(call, 'transcriptions', checkTranscription);
      },
    ),
    notImplemented(`${base}/responses/compact`, 'compacting responses'),
    notImplemented(`${base}/responses/input_tokens`, 'counting input tokens'),
    route(
      {
        ...mediaDescription,
        method: 'post',
        path: `${base}/videos/:id/remix`,
        accepts: '*/*',
        summary: 'Remix a video',
      },
      () => {
        throw new ApiError('VALIDATION_ERROR', 'Remix is not supported. Create a new video.');
      },
    ),
  ];
}

/** Returns the models of an upstream's list. Models without an id are omitted. */
function modelsOf({ data }: Record<string, unknown>): { id: string }[] {
  return Array.isArray(data) ? data.filter((model) => typeof model?.id === 'string') : [];
}

/** Whether a model offers a protocol of the chat-model family. */
function isChatModel({ supported_apis: apis }: CatalogueModel): boolean {
  return apis.some((api) => !otherFamilyProtocols.includes(api));
}

/** Converts a model to a model object of the official API. */
function toModel({ id }: CatalogueModel): object {
  // The catalogue has no creation times. The publisher is the part of the id before the slash.
  const [publisher] = id.includes('/') ? id.split('/') : [];
  return { id, object: 'model', created: 0, owned_by: publisher ?? 'system' };
}
