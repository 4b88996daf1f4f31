/**
 * Unmodified official and third-party clients with the built server. As in a user's program, only the
 * address and the key are set; `maxRetries: 0` makes errors visible at once.
 */
import { readFileSync } from 'node:fs';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Sandbox as CodeSandbox } from '@e2b/code-interpreter';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langChainTool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { OpenAIEmbedding, OpenAI as OpenAIOfLlamaIndex } from '@llamaindex/openai';
import { Agent, OpenAIProvider, Runner, tool as toolOfAgents } from '@openai/agents';
import { tavily } from '@tavily/core';
import {
  embedMany,
  generateObject,
  generateText,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { AuthenticationError, RateLimitError, Sandbox, SandboxNotFoundError } from 'e2b';
import { Document, Settings, VectorStoreIndex } from 'llamaindex';
import OpenAI, { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startUpstream } from '../conformance/setup/upstream.ts';
import { startServer } from './start-server.ts';
import {
  breakStream,
  chatUsage,
  respondAsModel,
  respondAsSandboxes,
  respondAsSearch,
} from './upstreams.ts';

const apiKey = 'sk-service-key-of-the-tests-of-official-clients';
const upstreamKey = 'sk-of-the-upstream';
const unlimited = { requests_per_second: 1000, concurrent: 100 };

/** The settings of a client that a user changes. */
interface ClientSettings {
  /** `/chat-model/v1`. */
  readonly chat: string;
  /** `/model/v1`. */
  readonly models: string;
  readonly apiKey: string;
  readonly model: string;
}

/** Starts the server with two models, one of which is limited to a request per minute. */
async function start(limit = unlimited) {
  const [provider, sandboxes, searches] = await Promise.all(
    [respondAsModel, respondAsSandboxes, respondAsSearch].map(startUpstream),
  );
  const model = (id: string, fields = {}) => ({
    id,
    supported_apis: ['chat_completions', 'responses', 'embeddings'],
    providers: [
      {
        provider: 'openai-compatible',
        name: 'first',
        base_url: `${provider?.url}/v1`,
        model: 'model-of-the-provider',
      },
    ],
    ...fields,
  });
  const upstream = (url = '') => ({ upstream: { base_url: url, api_key_env: 'UPSTREAM_KEY' } });
  const url = await startServer({
    env: { INLAY_API_KEY: apiKey, UPSTREAM_KEY: upstreamKey },
    config: {
      agents: [{ short_id: 'demo', name: 'Demo', model: { provider: 'scripted' } }],
      limits: { api_key: limit },
      models: [model('acme/large'), model('acme/limited', { requests_per_minute: 1 })],
      compatible: { sandbox: upstream(sandboxes?.url), web_search: upstream(searches?.url) },
    },
  });
  const settings: ClientSettings = {
    chat: `${url}/chat-model/v1`,
    models: `${url}/model/v1`,
    apiKey,
    model: 'acme/large',
  };
  return {
    ...settings,
    settings,
    sandboxOptions: { apiUrl: `${url}/sandbox-compat`, apiKey },
    searchOptions: { apiBaseURL: `${url}/web-search`, apiKey },
    sandboxRequests: sandboxes?.requests ?? [],
    searchRequests: searches?.requests ?? [],
  };
}

const City = z.object({ city: z.string() });
const weather = { name: 'get_weather', description: 'Returns the weather of a city' };
const getWeather = async ({ city }: z.infer<typeof City>) => `sunny at ${city}`;
const forecast = 'It is sunny at Rome today.';

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (reason: unknown) => reason,
  );

async function collect(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}

const modelsOfAiSdk: Record<string, (settings: ClientSettings) => LanguageModel> = {
  '@ai-sdk/openai, responses': ({ chat, apiKey, model }) =>
    createOpenAI({ baseURL: chat, apiKey })(model),
  '@ai-sdk/openai, chat completions': ({ chat, apiKey, model }) =>
    createOpenAI({ baseURL: chat, apiKey }).chat(model),
  '@ai-sdk/openai-compatible': ({ models, apiKey, model }) =>
    createOpenAICompatible({
      name: 'inlay',
      baseURL: models,
      apiKey,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(model),
};

async function* streamWithAiSdk(model: LanguageModel, prompt: string) {
  const { fullStream } = streamText({ model, prompt, maxRetries: 0, onError: () => {} });
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') yield part.text;
  }
}

const langChain = ({ chat, apiKey, model }: ClientSettings, useResponsesApi = false) =>
  new ChatOpenAI({
    model,
    apiKey,
    useResponsesApi,
    maxRetries: 0,
    configuration: { baseURL: chat },
  });

async function* streamWithLangChain(model: ChatOpenAI, prompt: string) {
  for await (const chunk of await model.stream(prompt)) yield chunk.text;
}

function runnerOf({ chat, apiKey }: ClientSettings, useResponses: boolean): Runner {
  const openAIClient = new OpenAI({ baseURL: chat, apiKey, maxRetries: 0 });
  return new Runner({
    modelProvider: new OpenAIProvider({ openAIClient, useResponses }),
    // Traces would be sent to OpenAI.
    tracingDisabled: true,
  });
}

async function* streamWithAgents(settings: ClientSettings, useResponses: boolean, prompt: string) {
  const agent = new Agent({ name: 'Helper', model: settings.model });
  const result = await runnerOf(settings, useResponses).run(agent, prompt, { stream: true });
  yield* result.toTextStream();
  await result.completed;
}

const llamaIndex = ({ chat, apiKey, model }: ClientSettings) =>
  new OpenAIOfLlamaIndex({ model, apiKey, baseURL: chat, maxRetries: 0 });

async function* streamWithLlamaIndex(settings: ClientSettings, prompt: string) {
  const messages = [{ role: 'user' as const, content: prompt }];
  const stream = await llamaIndex(settings).chat({ messages, stream: true });
  for await (const { delta } of stream) yield delta;
}

async function* streamWithOpenAI({ models, apiKey, model }: ClientSettings, prompt: string) {
  const stream = await new OpenAI({
    baseURL: models,
    apiKey,
    maxRetries: 0,
  }).chat.completions.create({
    model,
    messages: [{ role: 'user', content: prompt }],
    stream: true,
  });
  for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
}

/** Asks a model, and yields the pieces of the answer. */
type StreamAnswer = (settings: ClientSettings, prompt: string) => AsyncIterable<string>;

/** Each client with each of its protocols. */
const clients: Record<string, StreamAnswer> = {
  ...Object.fromEntries(
    Object.entries(modelsOfAiSdk).map(([name, modelOf]): [string, StreamAnswer] => [
      `ai with ${name}`,
      (settings, prompt) => streamWithAiSdk(modelOf(settings), prompt),
    ]),
  ),
  openai: streamWithOpenAI,
  '@langchain/openai': (settings, prompt) => streamWithLangChain(langChain(settings), prompt),
  '@langchain/openai, responses': (settings, prompt) =>
    streamWithLangChain(langChain(settings, true), prompt),
  '@openai/agents': (settings, prompt) => streamWithAgents(settings, true, prompt),
  '@openai/agents, chat completions': (settings, prompt) =>
    streamWithAgents(settings, false, prompt),
  '@llamaindex/openai': streamWithLlamaIndex,
};

describe.each(Object.entries(clients))('%s', (name, stream) => {
  it('streams an answer', async () => {
    const { settings } = await start();

    expect(await collect(stream(settings, 'Hi'))).toBe('Hello!');
  });

  it('throws its own errors for a wrong key, an unknown model, and a rate limit', async () => {
    const { settings } = await start();
    const ask = (fields: Partial<ClientSettings>) =>
      collect(stream({ ...settings, ...fields }, 'Hi'));

    const errors = [
      await errorOf(ask({ apiKey: 'sk-service-wrong' })),
      await errorOf(ask({ model: 'acme/unknown' })),
      await ask({ model: 'acme/limited' }).then(() => errorOf(ask({ model: 'acme/limited' }))),
    ] as { status?: number; statusCode?: number; message: string }[];

    expect(errors.map((error) => error.constructor.name)).toEqual(
      name.startsWith('ai ')
        ? ['APICallError', 'APICallError', 'APICallError']
        : ['AuthenticationError', 'NotFoundError', 'RateLimitError'],
    );
    expect(errors.map(({ status, statusCode }) => status ?? statusCode)).toEqual([401, 404, 429]);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('This credential is neither an API key nor an embed token.'),
      expect.stringContaining('There is no model `acme/unknown`.'),
      expect.stringContaining('Requests per minute limit of the model reached'),
    ]);
  });

  it('throws an error if the stream breaks', async () => {
    const { settings } = await start();
    let text = '';

    const error = await errorOf(
      (async () => {
        for await (const part of stream(settings, breakStream)) text += part;
      })(),
    );

    expect(text).toBe('Hel');
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^The (model provider failed|upstream returned an invalid response)/,
      ),
    });
  });
});

it('the documentation names the tested versions', () => {
  const readText = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const { packages } = JSON.parse(readText('../../package-lock.json'));
  const rows = readText('../../docs/models.md').matchAll(/^\| `(\S+)`.*? \| (\d+\.\d+) \|/gm);

  const documented = [...rows].map(([, name = '', version]) => [name, version]);

  const { devDependencies } = JSON.parse(readText('../package.json'));
  expect(documented.map(([name]) => name)).toHaveLength(9);
  for (const [name = '', version] of documented) {
    expect(devDependencies).toHaveProperty([name]);
    const path = `node_modules/${name}`;
    const installed = (packages[`e2e/${path}`] ?? packages[path]).version;
    expect(`${name} ${installed}`).toMatch(`${name} ${version}.`);
  }
});

describe('openai', () => {
  it('completes a chat with a tool at `/model/v1`, and lists the models', async () => {
    const { models, model } = await start();
    const client = new OpenAI({ baseURL: models, apiKey });

    const runner = client.chat.completions.runTools({
      model,
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [
        {
          type: 'function',
          function: {
            ...weather,
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
            parse: (text: string) => City.parse(JSON.parse(text)),
            function: getWeather,
          },
        },
      ],
    });

    expect(await runner.finalContent()).toBe(forecast);
    const { choices, usage } = (await runner.finalChatCompletion()) as OpenAI.ChatCompletion;
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(usage).toMatchObject(chatUsage);
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(['acme/large', 'acme/limited']);
  });

  it('creates responses, embeddings, files and vector stores', async () => {
    const { chat, model } = await start();
    const client = new OpenAI({ baseURL: chat, apiKey });

    const response = await client.responses.create({ model, input: 'Hi' });
    const { data } = await client.embeddings.create({ model, input: ['a', 'bcd'] });
    const file = await client.files.create({
      file: await toFile(Buffer.from('Rome is sunny.'), 'rome.txt'),
      purpose: 'assistants',
    });
    const store = await client.vectorStores.create({ name: 'Cities' });
    await client.vectorStores.files.createAndPoll(store.id, { file_id: file.id });
    const found = await client.vectorStores.search(store.id, { query: 'sunny' });

    expect(response.output_text).toBe('Hello!');
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [1, 1],
      [3, 1],
    ]);
    expect(await (await client.files.content(file.id)).text()).toBe('Rome is sunny.');
    expect(found.data).toMatchObject([
      { filename: 'rome.txt', content: [{ type: 'text', text: 'Rome is sunny.' }] },
    ]);
  });
});

describe.each(Object.entries(modelsOfAiSdk))('ai with %s', (_, modelOf) => {
  it('generates a text', async () => {
    const { settings } = await start();

    const { text, finishReason, usage } = await generateText({
      model: modelOf(settings),
      prompt: 'Hi',
    });

    expect({ text, finishReason }).toEqual({ text: 'Hello!', finishReason: 'stop' });
    expect(usage).toMatchObject({ inputTokens: 12, outputTokens: 3, totalTokens: 15 });
  });

  it('streams a text with a tool', async () => {
    const { settings } = await start();
    const { description } = weather;

    const result = streamText({
      model: modelOf(settings),
      prompt: 'Weather?',
      stopWhen: stepCountIs(3),
      tools: { get_weather: tool({ description, inputSchema: City, execute: getWeather }) },
    });

    expect(await collect(result.textStream)).toBe(forecast);
    expect(await result.steps).toMatchObject([
      {
        finishReason: 'tool-calls',
        toolResults: [{ input: { city: 'Rome' }, output: 'sunny at Rome' }],
      },
      { finishReason: 'stop' },
    ]);
    expect(await result.totalUsage).toMatchObject({ inputTokens: 24, outputTokens: 6 });
  });

  it('generates an object', async () => {
    const { settings } = await start();

    const { object } = await generateObject({
      model: modelOf(settings),
      schema: City,
      prompt: 'A city?',
    });

    expect(object).toEqual({ city: 'Rome' });
  });
});

it('ai embeds several values', async () => {
  const { chat, model } = await start();
  const values = ['a', 'bcd'];
  const options = { baseURL: chat, apiKey };

  for (const embedding of [
    createOpenAI(options).embedding(model),
    createOpenAICompatible({ ...options, name: 'inlay' }).embeddingModel(model),
  ]) {
    const { embeddings, usage } = await embedMany({ model: embedding, values });

    expect(embeddings).toEqual([
      [1, 1],
      [3, 1],
    ]);
    expect(usage).toEqual({ tokens: 7 });
  }
});

describe.each([
  ['chat completions', false],
  ['responses', true],
])('@langchain/openai with %s', (_, useResponsesApi) => {
  it('invokes a model', async () => {
    const { settings } = await start();

    const message = await langChain(settings, useResponsesApi).invoke('Hi');

    expect(message.text).toBe('Hello!');
    expect(message.usage_metadata).toMatchObject({ input_tokens: 12, output_tokens: 3 });
    expect(message.response_metadata).toMatchObject(
      useResponsesApi ? { status: 'completed' } : { finish_reason: 'stop' },
    );
  });

  it('calls a bound tool', async () => {
    const { settings } = await start();
    const weatherTool = langChainTool(getWeather, { ...weather, schema: City });
    const model = langChain(settings, useResponsesApi).bindTools([weatherTool]);
    const question = new HumanMessage('Weather?');

    const called = await model.invoke([question]);
    const [call] = called.tool_calls ?? [];
    if (!call) throw new Error('The tool was not called.');
    const result = await weatherTool.invoke({ ...call, type: 'tool_call' });
    const answer = await model.invoke([question, called, result]);

    expect(called.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Rome' } }]);
    expect(answer.text).toBe(forecast);
  });

  it('returns structured output', async () => {
    const { settings } = await start();
    const model = langChain(settings, useResponsesApi).withStructuredOutput(City);

    expect(await model.invoke('A city?')).toEqual({ city: 'Rome' });
  });
});

it('@langchain/openai embeds documents and queries', async () => {
  const { chat, model } = await start();
  const embeddings = new OpenAIEmbeddings({ model, apiKey, configuration: { baseURL: chat } });

  expect(await embeddings.embedDocuments(['a', 'bcd'])).toEqual([
    [1, 1],
    [3, 1],
  ]);
  expect(await embeddings.embedQuery('ab')).toEqual([2, 1]);
});

describe.each([
  ['responses', true],
  ['chat completions', false],
])('@openai/agents with %s', (_, useResponses) => {
  const agentOf = (model: string) =>
    new Agent({
      name: 'Helper',
      instructions: 'Help.',
      model,
      tools: [toolOfAgents({ ...weather, parameters: City, execute: getWeather })],
    });

  it('runs an agent with a tool', async () => {
    const { settings, model } = await start();

    const result = await runnerOf(settings, useResponses).run(agentOf(model), 'Weather?');

    expect(result.finalOutput).toBe(forecast);
    expect(result.newItems).toMatchObject([
      { type: 'tool_call_item' },
      { type: 'tool_call_output_item', output: 'sunny at Rome' },
      { type: 'message_output_item' },
    ]);
    expect(result.state.usage).toMatchObject({ requests: 2, inputTokens: 24, outputTokens: 6 });
  });

  it('streams an agent with a tool, and continues the conversation', async () => {
    const { settings, model } = await start();
    const runner = runnerOf(settings, useResponses);
    const agent = agentOf(model);

    const result = await runner.run(agent, 'Weather?', { stream: true });
    const text = await collect(result.toTextStream());
    await result.completed;
    const next = await runner.run(agent, [
      ...result.history,
      { role: 'user', content: 'And tomorrow?' },
    ]);

    expect(text).toBe(forecast);
    expect(result.finalOutput).toBe(forecast);
    expect(next.finalOutput).toBe(forecast);
  });
});

describe('@llamaindex/openai', () => {
  it('chats', async () => {
    const { settings } = await start();

    const { message, raw } = await llamaIndex(settings).chat({
      messages: [{ role: 'user', content: 'Hi' }],
    });

    expect(message).toMatchObject({ role: 'assistant', content: 'Hello!' });
    expect(raw).toMatchObject({ usage: chatUsage, choices: [{ finish_reason: 'stop' }] });
  });

  it('embeds documents, and answers questions about them', async () => {
    const { settings, chat, model } = await start();
    Settings.llm = llamaIndex(settings);
    Settings.embedModel = new OpenAIEmbedding({ model, apiKey, baseURL: chat });

    const index = await VectorStoreIndex.fromDocuments([new Document({ text: 'Rome is sunny.' })]);
    const { message, sourceNodes } = await index.asQueryEngine().query({ query: 'Weather?' });

    expect(message.content).toBe('Hello!');
    expect(sourceNodes).toMatchObject([{ node: { text: 'Rome is sunny.' } }]);
    expect(await Settings.embedModel.getTextEmbedding('abc')).toEqual([3, 1]);
  });
});

describe('e2b', () => {
  it('creates, describes, lists, extends and ends a sandbox', async () => {
    const { sandboxOptions, sandboxRequests } = await start();

    const sandbox = await Sandbox.create(sandboxOptions);
    const info = await sandbox.getInfo();
    const listed = await Sandbox.list(sandboxOptions).nextItems();
    await sandbox.setTimeout(60_000);
    const isEnded = await sandbox.kill();

    expect(info).toMatchObject({ sandboxId: 'sandbox1', templateId: 'base', state: 'running' });
    expect(listed).toMatchObject([{ sandboxId: 'sandbox1' }]);
    expect(isEnded).toBe(true);
    const keys = sandboxRequests.map(({ headers }) => headers['x-api-key']);
    expect(new Set(keys)).toEqual(new Set([upstreamKey]));
  });

  it('creates a sandbox of @e2b/code-interpreter', async () => {
    const { sandboxOptions, sandboxRequests } = await start();

    const { sandboxId } = await CodeSandbox.create(sandboxOptions);

    expect(sandboxId).toBe('sandbox1');
    expect(sandboxRequests.map(({ body }) => JSON.parse(body))).toMatchObject([
      { templateID: 'code-interpreter-v1' },
    ]);
  });

  it('throws its own errors for a wrong key, an unknown sandbox, and a rate limit', async () => {
    const { sandboxOptions } = await start({ requests_per_second: 1, concurrent: 2 });
    const options = { ...sandboxOptions, retries: 0 };

    const wrong = await errorOf(Sandbox.create({ ...options, apiKey: 'sk-service-wrong' }));
    const info = () => errorOf(Sandbox.getInfo('unknown', options));
    const atOnce = await Promise.all([info(), info()]);

    expect(wrong).toBeInstanceOf(AuthenticationError);
    expect(atOnce).toContainEqual(expect.any(SandboxNotFoundError));
    expect(atOnce).toContainEqual(expect.any(RateLimitError));
  });
});

describe('@tavily/core', () => {
  it('searches', async () => {
    const { searchOptions, searchRequests } = await start();

    const found = await tavily(searchOptions).search('Rome', { includeAnswer: true });

    expect(found).toMatchObject({
      query: 'Rome',
      answer: 'Sunny',
      results: [{ title: 'Rome', url: 'https://example.com/rome', content: 'A city' }],
    });
    expect(searchRequests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${upstreamKey}`,
    ]);
  });

  it('throws errors with the message for a wrong key and a rate limit', async () => {
    const { searchOptions } = await start({ requests_per_second: 1, concurrent: 2 });
    const client = tavily(searchOptions);

    const wrong = await errorOf(
      tavily({ ...searchOptions, apiKey: 'sk-service-wrong' }).search('Rome'),
    );
    const search = () => errorOf(client.search('Rome'));
    const atOnce = await Promise.all([search(), search()]);

    expect(wrong).toMatchObject({
      message: 'This credential is neither an API key nor an embed token.',
    });
    expect(atOnce).toContainEqual(null);
    expect(atOnce).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining('Requests per second limit of 1 reached.'),
      }),
    );
  });
});
