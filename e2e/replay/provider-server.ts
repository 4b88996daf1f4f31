import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkChatRequest } from './check-chat-request.ts';
import type { ChatMessage, ProviderRequest } from './provider-rules.ts';
import type { ModelTurn, Provider } from './providers.ts';

export interface ProviderServer {
  /** Base URL for the configuration of a model. */
  readonly url: string;
  /** The accepted requests. */
  readonly requests: readonly ProviderRequest[];
  /** Why requests were refused. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts an endpoint with the rules of a provider. Its model looks up an order and its parcel, answers
 * with follow-up suggestions, gives no answer to “thanks”, and says goodbye to other messages.
 */
export async function startProvider(provider: Provider): Promise<ProviderServer> {
  const requests: ProviderRequest[] = [];
  const refusals: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const received = { url: request.url ?? '', body: JSON.parse(text) } as ProviderRequest;
    const refusal =
      checkChatRequest(received.body) ??
      provider.rules.map((rule) => rule(received)).find((reason) => reason !== null);
    if (refusal != null) {
      refusals.push(refusal);
      response.writeHead(provider.status ?? 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: refusal, type: 'invalid_request_error' } }));
      return;
    }
    requests.push(received);
    const type = provider.json ? 'application/json' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type }).end(answer(provider, received.body.messages));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${provider.base ?? '/v1'}`,
    requests,
    refusals,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(provider: Provider, messages: readonly ChatMessage[]): string {
  const turn = turnFor(messages);
  const { end, calls } = provider.finish ?? { end: 'stop', calls: 'tool_calls' };
  const finish_reason = turn.calls.length > 0 ? calls : end;
  const deltas = provider.deltas(turn);
  if (provider.json) {
    return JSON.stringify({ choices: [{ index: 0, message: deltas[0], finish_reason }] });
  }
  const chunks = [
    { choices: [], prompt_filter_results: [] },
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: 20 } },
  ];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

function turnFor(messages: readonly ChatMessage[]): ModelTurn {
  const question = String(messages.findLast(({ role }) => role === 'user')?.content);
  if (question.includes('bye')) return { text: 'Goodbye.', calls: [] };
  if (question.includes('thanks')) return { text: '', calls: [] };
  if (messages.at(-1)?.role === 'user') {
    const call = (name: string, id: number) => ({ name, arguments: JSON.stringify({ id }) });
    return { text: '', calls: [call('get_order', 1), call('track_parcel', 2)] };
  }
  const suggestions = { prompts: ['Cancel it'] };
  return {
    text: 'It is in Zurich.',
    calls: [{ name: 'suggest_replies', arguments: JSON.stringify(suggestions) }],
  };
}
