import { ChatCompletion, ChatCompletionRequest, ModelPage } from '@inlay/protocol';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { listModels } from './catalogue.ts';

/** The catalogue of models, and chat completions (docs/conformance.md, 4.12). */
export function modelRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'get',
        path: '/model/v1/models',
        audience: 'optional',
        tag: 'Models',
        summary: 'List the models',
        description: 'Works without a key, within the quota of the source address.',
        response: ModelPage,
      },
      () => ({ data: listModels(services.config), next_cursor: null }),
    ),

    route(
      {
        method: 'post',
        path: '/model/v1/chat/completions',
        unaudited: 'A call of a model changes nothing.',
        audience: 'backend',
        tag: 'Models',
        summary: 'Complete a chat',
        description:
          'The form of OpenAI’s API. Members that are not described are sent to the model’s provider as they are. With `stream`, the response is a stream of server-sent events in the same form; its last chunk has `usage` and `router_metadata` if `stream_options.include_usage` is true.',
        headers: ['X-Upstream-Api-Key'],
        body: ChatCompletionRequest,
        bodyLimit: 'model_json_bytes',
        exactBody: true,
        response: ChatCompletion,
        responseType: 'text/event-stream',
        problems: [
          'MODEL_NOT_FOUND',
          'MODEL_PROTOCOL_NOT_OFFERED',
          'MODEL_PROTOCOL_LINE_UNAVAILABLE',
          'PROVIDER_SELECTION_NOT_ALLOWED',
          'INPUT_NOT_REPRESENTABLE',
          'validation_error',
          'thinking_disable_unsupported',
          'INSUFFICIENT_BALANCE',
          'QUOTA_EXHAUSTED',
          'UNPROCESSABLE_CONTENT',
          'UPSTREAM_ERROR',
          'UPSTREAM_TIMEOUT',
          'provider_unavailable',
        ],
      },
      async ({ c, body }) => {
        // Loaded on first use, so that the server starts faster.
        const { respondWithCompletion } = await import('./respond-with-completion.ts');
        return respondWithCompletion(c, services, body);
      },
    ),
  ];
}
