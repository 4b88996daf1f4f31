import { expect } from 'vitest';
import { createApiKey } from '../auth/api-keys.ts';
import type { ConfigInput } from '../config/config.ts';
import { systemRandom } from '../random.ts';
import { type Replay, setupGateway } from './setup-gateway.ts';
import type { SetupOptions } from './setup-server.ts';

type Init = RequestInit & { headers?: Record<string, string> };

/** Serves the chat-model family over HTTP, with a replayed upstream. */
export async function setupChatModel(replay?: Replay, options: SetupOptions = {}) {
  const gateway = await setupGateway(replay, options);
  const call = async (method: string, path: string, body?: unknown, headers: object = {}) => {
    const init: Init = {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await gateway.send(`/chat-model/v1${path}`, init);
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(await response.text()),
    };
  };
  return {
    ...gateway,
    /** Calls an endpoint with a JSON body. */
    call,
    /** Creates another API key. Returns the key, and the headers of a request with it. */
    otherKey: async () => {
      const { store, clock } = gateway;
      const key = await createApiKey({ store, clock, random: systemRandom }, null);
      return { key, headers: { authorization: `Bearer ${key}` } };
    },
    /** Uploads a form. */
    upload: async (fields: Record<string, string | File>, query = '') => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const response = await gateway.send(`/chat-model/v1/files${query}`, {
        method: 'POST',
        body: form,
      });
      return {
        status: response.status,
        headers: response.headers,
        body: JSON.parse(await response.text()),
      };
    },
  };
}

/**
 * Configuration of the model `acme/large`, with one provider of responses for each URL, in this
 * order.
 */
export function responseModel(
  urls: readonly string[],
  fields: Partial<NonNullable<ConfigInput['models']>[number]> = {},
) {
  const providers = urls.map((base_url, index) => ({
    provider: 'openai-compatible' as const,
    name: `p${index}`,
    base_url,
    model: `model-of-p${index}`,
    api_key_env: 'UPSTREAM_KEY',
  }));
  return {
    models: [{ id: 'acme/large', supported_apis: ['responses' as const], providers, ...fields }],
    prices: { 'acme/large': { input_cents_per_million: 100, output_cents_per_million: 1000 } },
  };
}

/** Checks that a response is an error in the format of the chat-model family. */
export function expectError(
  { status, body, headers }: { status: number; body: { error?: object }; headers: Headers },
  expected: { status: number; code?: string; param?: string | null; message?: string },
): void {
  const { status: expectedStatus, message, ...rest } = expected;
  expect({ status, body }).toMatchObject({
    status: expectedStatus,
    body: {
      error: {
        message: message === undefined ? expect.any(String) : expect.stringContaining(message),
        type: expectedStatus < 500 ? 'invalid_request_error' : 'server_error',
        ...rest,
      },
    },
  });
  expect(Object.keys(body.error ?? {}).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(headers.get('x-service-problem-code')).not.toBeNull();
}
