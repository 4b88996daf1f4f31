import { Problem, type ProblemCode, problems } from '@inlay/protocol';
import { expect } from 'vitest';
import type { ConfigInput } from '../config/config.ts';
import { chatEndpoint, type Handler } from './chat-endpoint.ts';
import { listen } from './listen.ts';
import { type SetupOptions, setupServer, testApiKey, upstreamKey } from './setup-server.ts';

type ModelInput = NonNullable<ConfigInput['models']>[number];

/** A complete response of a provider, with a field that the platform does not know. */
export const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'upstream-model-2026',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
  provider_extension: { kept: true },
};

/** Handler that responds with JSON. */
export const respondJson =
  (body: unknown = completion, status = 200, headers: Record<string, string> = {}): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Handler that never responds. */
export const hang: Handler = () => {};

export const messages = [{ role: 'user', content: 'Hi' }];

/** Settings of a test: one model `m`, with a provider for each list of handlers. */
interface ModelSetup extends SetupOptions {
  providers?: Record<string, Handler[]>;
  model?: Partial<ModelInput>;
  /** Overrides of the providers, by name. */
  providerSettings?: Record<string, Partial<ModelInput['providers'][number]>>;
}

/**
 * Serves the platform over HTTP, with a catalogue of one model `m`. Each provider of the model is a
 * local HTTP endpoint that responds with the given handlers in order.
 */
export async function setupModelService({
  providers = { a: [respondJson()] },
  model = {},
  providerSettings = {},
  ...options
}: ModelSetup = {}) {
  const endpoints: Record<string, Awaited<ReturnType<typeof chatEndpoint>>> = {};
  for (const [name, handlers] of Object.entries(providers)) {
    endpoints[name] = await chatEndpoint(...handlers);
  }
  const server = await setupServer({
    secrets: { UPSTREAM_KEY: upstreamKey },
    ...options,
    config: {
      prices: { m: { input_cents_per_million: 1000, output_cents_per_million: 2000 } },
      models: [
        {
          id: 'm',
          providers: Object.entries(endpoints).map(([name, { url }]) => ({
            provider: 'openai-compatible' as const,
            name,
            base_url: url,
            model: `model-of-${name}`,
            api_key_env: 'UPSTREAM_KEY',
            ...providerSettings[name],
          })) as ModelInput['providers'],
          ...model,
        },
      ],
      ...options.config,
    },
  });
  const http = await listen(server.app);

  const post = (body: unknown, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(`${http.url}/model/v1/chat/completions`, {
      method: 'POST',
      ...init,
      headers: {
        authorization: `Bearer ${testApiKey}`,
        'content-type': 'application/json',
        ...init.headers,
      },
      body: JSON.stringify(body),
    });
  return {
    ...server,
    ...http,
    /** Sends a chat completion with the API key. */
    post,
    /** Sends a chat completion of the model `m`. */
    complete: (
      fields: object = {},
      init: RequestInit & { headers?: Record<string, string> } = {},
    ) => post({ model: 'm', messages, ...fields }, init),
    /** The requests that a provider received. */
    requestsOf: (name: string) => endpoints[name]?.requests ?? [],
  };
}

/** Checks that a response is a problem with this code, and returns the problem. */
export async function expectProblem(response: Response, code: ProblemCode): Promise<Problem> {
  const problem = Problem.parse(await response.json());
  expect(problem).toMatchObject({ code, status: problems[code].status });
  expect(response.status).toBe(problems[code].status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('x-service-problem-code')).toBe(code);
  return problem;
}
