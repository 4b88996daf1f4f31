import type { ConfigInput } from '@inlay/server';
import { expect } from 'vitest';
import {
  apiKey,
  type Reply,
  readReply,
  type ServerOptions,
  startReferenceServer,
} from './server.ts';
import {
  type Responder,
  respondWithJson,
  startUpstream,
  type UpstreamRequest,
} from './upstream.ts';

/** A completion as OpenAI's API returns it. */
export const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'upstream-model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
};

/** Responds with `completion`. */
export const completeChat = respondWithJson(completion);

/** Streams an answer, with the usage of `completion`. */
export const streamAnswer =
  (content: string): Responder =>
  (response) => {
    const chunk = (fields: object) => `data: ${JSON.stringify({ choices: [], ...fields })}\n\n`;
    const choice = (delta: object, finish_reason: string | null) => [
      { index: 0, delta, finish_reason },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ choices: choice({ content }, null) }));
    response.write(chunk({ choices: choice({}, 'stop') }));
    response.write(chunk({ usage: completion.usage }));
    response.end('data: [DONE]\n\n');
  };

/** Credential that the platform sends to the upstreams. */
export const upstreamKey = 'sk-of-the-upstream';

type ModelInput = NonNullable<ConfigInput['models']>[number];

export interface ModelOptions extends ServerOptions {
  /** How each provider of the model `m` responds. By default, a single provider completes every chat. */
  readonly providers?: Readonly<Record<string, Responder>>;
  /** Overrides of the settings of the model. */
  readonly model?: Partial<ModelInput>;
}

/** Starts a server whose catalogue has the model `m`, with an upstream for each provider. */
export async function startModelServer({
  providers = { a: completeChat },
  model = {},
  ...options
}: ModelOptions = {}) {
  const names = Object.keys(providers);
  const upstreams = await Promise.all(Object.values(providers).map(startUpstream));
  const configured = names.map((name, index) => ({
    provider: 'openai-compatible' as const,
    name,
    base_url: `${upstreams[index]?.url}/v1`,
    model: `model-of-${name}`,
    api_key_env: 'UPSTREAM_KEY',
  }));
  const server = await startReferenceServer({
    secrets: { UPSTREAM_KEY: upstreamKey },
    ...options,
    config: {
      prices: { m: { input_cents_per_million: 1000, output_cents_per_million: 2000 } },
      models: [{ id: 'm', providers: configured, ...model }],
      ...options.config,
    },
  });
  const send = (fields: object = {}, headers: Record<string, string> = {}) =>
    server.send('POST', '/model/v1/chat/completions', {
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...fields },
    });
  return {
    ...server,
    /** Sends a chat completion. */
    send,
    /** Sends a chat completion, and reads the response. */
    complete: async (fields?: object, headers?: Record<string, string>): Promise<Reply> =>
      readReply(await send(fields, headers)),
    /** The requests that a provider received. */
    requestsOf: (name: string): readonly UpstreamRequest[] => {
      const upstream = upstreams[names.indexOf(name)];
      expect(upstream).toBeDefined();
      return upstream?.requests ?? [];
    },
  };
}
