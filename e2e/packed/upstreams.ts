import { isDeepStrictEqual } from 'node:util';
import {
  type Responder,
  respondWithError,
  respondWithJson,
} from '../conformance/setup/upstream.ts';

/** Token counts of every completion. */
export const chatUsage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
/** Token counts of every response. */
const responseUsage = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 3,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

/** A message after whose first piece of the answer the connection ends. */
export const breakStream = 'Break the stream.';

const call = { name: 'get_weather', arguments: '{"city":"Rome"}' };

/** The output of the model: a text in pieces, or the id of a call of `get_weather`. */
type Output = { readonly pieces: readonly string[] } | { readonly callId: string };

interface Input {
  readonly hasTools: boolean;
  readonly isStructured: boolean;
  /** Ids of the calls in the input. */
  readonly callIds: readonly string[];
  /** The result at the end of the input. */
  readonly result?: string | undefined;
}

/**
 * Decides on the output: a call of `get_weather` if the request has tools, and then a text with the
 * result; an object if the request has a format; otherwise a greeting.
 */
function outputFor({ hasTools, isStructured, callIds, result }: Input): Output {
  if (result !== undefined) return { pieces: ['It is ', result, ' today.'] };
  if (hasTools) return { callId: `call_${callIds.length + 1}` };
  return { pieces: isStructured ? ['{"city":', '"Rome"}'] : ['Hel', 'lo!'] };
}

/**
 * Responds like the API of OpenAI to chat completions, responses and embeddings. A tool result whose
 * call is not in the request is refused, as OpenAI refuses it.
 */
export const respondAsModel: Responder = (response, request) => {
  const body = JSON.parse(request.body);
  if (request.url?.endsWith('/embeddings')) return respondWithJson(embed(body))(response);
  const isChat = request.url?.endsWith('/chat/completions');
  const input = isChat ? readMessages(body) : readItems(body);
  if (!input) return respondWithError(400)(response);
  const output = outputFor(input);
  const whole = isChat ? completionOf(output) : responseOf(output);
  if (!body.stream) return respondWithJson(whole)(response);
  const events = isChat
    ? [...chunksOf(output).map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => ({
        event: null,
        data,
      }))
    : eventsOf(output).map((event, sequence_number) => ({
        event: event.type,
        data: JSON.stringify({ ...event, sequence_number }),
      }));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const text = events.map(
    ({ data, event }) => `${event ? `event: ${event}\n` : ''}data: ${data}\n\n`,
  );
  if (!request.body.includes(breakStream)) return void response.end(text.join(''));
  const end = events.findIndex(({ data }) => data.includes('Hel')) + 1;
  response.write(text.slice(0, end).join(''), () => response.destroy());
};

/** Returns the text of content, which is a text or a list of parts. */
const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => part.text).join('') : String(content);

// biome-ignore lint/suspicious/noExplicitAny: the body of any client.
type Body = any;

function readMessages({ messages, tools, response_format: format }: Body): Input | null {
  const calls = messages.flatMap((message: Body) => message.tool_calls ?? []);
  const last = messages.at(-1);
  const isResult = last.role === 'tool';
  const { id, type, function: called } = calls.at(-1) ?? {};
  if (isResult && !isDeepStrictEqual([id, type, called], [last.tool_call_id, 'function', call])) {
    return null;
  }
  return {
    hasTools: tools?.length > 0,
    isStructured: format !== undefined && format.type !== 'text',
    callIds: calls.map((each: Body) => each.id),
    result: isResult ? textOf(last.content) : undefined,
  };
}

function readItems({ input, tools, text }: Body): Input | null {
  const items = typeof input === 'string' ? [] : input;
  const calls = items.filter((item: Body) => item.type === 'function_call');
  const last = items.at(-1);
  const isResult = last?.type === 'function_call_output';
  const { call_id, name, arguments: sent } = calls.at(-1) ?? {};
  const expected = [last?.call_id, call.name, call.arguments];
  if (isResult && !isDeepStrictEqual([call_id, name, sent], expected)) return null;
  return {
    hasTools: tools?.length > 0,
    isStructured: text?.format !== undefined && text.format.type !== 'text',
    callIds: calls.map((each: Body) => each.call_id),
    result: isResult ? textOf(last.output) : undefined,
  };
}

const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'model-of-the-provider' };

function completionOf(output: Output) {
  const isText = 'pieces' in output;
  const message = isText
    ? { role: 'assistant', content: output.pieces.join(''), refusal: null }
    : {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: output.callId, type: 'function', function: call }],
      };
  const finish_reason = isText ? 'stop' : 'tool_calls';
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason, logprobs: null }],
    usage: chatUsage,
  };
}

function chunksOf(output: Output): object[] {
  const isText = 'pieces' in output;
  const deltas = isText
    ? output.pieces.map((content) => ({ content }))
    : [
        { id: output.callId, type: 'function', function: { name: call.name, arguments: '' } },
        { function: { arguments: '{"city":' } },
        { function: { arguments: '"Rome"}' } },
      ].map((part) => ({ tool_calls: [{ index: 0, ...part }] }));
  const chunk = (fields: object) => ({ ...head, object: 'chat.completion.chunk', ...fields });
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason }] });
  return [
    choice({ role: 'assistant', content: '' }),
    ...deltas.map((delta) => choice(delta)),
    choice({}, isText ? 'stop' : 'tool_calls'),
    chunk({ choices: [], usage: chatUsage }),
  ];
}

/** Members that OpenAI sends in every response. */
const responseHead = {
  id: 'resp_of_the_provider',
  object: 'response',
  created_at: head.created,
  model: head.model,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
};

function itemOf(output: Output) {
  if ('callId' in output) {
    const fields = { call_id: output.callId, ...call, status: 'completed' };
    return { type: 'function_call', id: 'fc_of_the_provider', ...fields };
  }
  const content = [{ type: 'output_text', text: output.pieces.join(''), annotations: [] }];
  const fields = { role: 'assistant', status: 'completed', content };
  return { type: 'message', id: 'msg_of_the_provider', ...fields };
}

const responseOf = (output: Output) => ({
  ...responseHead,
  status: 'completed',
  output: [itemOf(output)],
  usage: responseUsage,
});

function eventsOf(output: Output): { type: string }[] {
  const item = itemOf(output);
  const started = { ...responseHead, status: 'in_progress', output: [], usage: null };
  const position = { item_id: item.id, output_index: 0 };
  const added = { ...item, status: 'in_progress' };
  return [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...('pieces' in output
      ? [
          { type: 'response.output_item.added', output_index: 0, item: { ...added, content: [] } },
          ...textEvents(output.pieces, { ...position, content_index: 0 }),
        ]
      : [
          {
            type: 'response.output_item.added',
            output_index: 0,
            item: { ...added, arguments: '' },
          },
          { type: 'response.function_call_arguments.delta', ...position, delta: call.arguments },
          {
            type: 'response.function_call_arguments.done',
            ...position,
            ...call,
          },
        ]),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: responseOf(output) },
  ] as { type: string }[];
}

function textEvents(pieces: readonly string[], position: object) {
  const part = { type: 'output_text', text: pieces.join(''), annotations: [] };
  return [
    { type: 'response.content_part.added', ...position, part: { ...part, text: '' } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...position, delta })),
    { type: 'response.output_text.done', ...position, text: part.text },
    { type: 'response.content_part.done', ...position, part },
  ];
}

/** Returns one vector for each text: its length, and 1. */
function embed({ input, encoding_format }: Body) {
  const texts: string[] = [input].flat();
  const data = texts.map((text, index) => {
    const vector = [text.length, 1];
    const base64 = Buffer.from(new Float32Array(vector).buffer).toString('base64');
    return {
      object: 'embedding',
      index,
      embedding: encoding_format === 'base64' ? base64 : vector,
    };
  });
  return {
    object: 'list',
    model: head.model,
    data,
    usage: { prompt_tokens: 7, total_tokens: 7 },
  };
}

/** Responds like the API of Tavily to searches. */
export const respondAsSearch: Responder = (response, request) => {
  const { query } = JSON.parse(request.body);
  const result = { title: 'Rome', url: 'https://example.com/rome', content: 'A city', score: 0.9 };
  const body = { query, answer: 'Sunny', images: [], results: [result], response_time: 0.5 };
  respondWithJson({ ...body, request_id: 'search-1' })(response);
};

/** Responds like the API of E2B to the operations on sandboxes. */
export const respondAsSandboxes: Responder = (response, request) => {
  const respond = (body: unknown, status = 200) => respondWithJson(body, status)(response);
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  const sandbox = {
    templateID: 'base',
    sandboxID: 'sandbox1',
    clientID: 'client1',
    envdVersion: '0.4.0',
    envdAccessToken: 'token-of-the-sandbox',
    domain: null,
  };
  const times = { startedAt: '2026-01-15T12:00:00Z', endAt: '2026-01-15T12:05:00Z' };
  const info = { ...sandbox, ...times, cpuCount: 2, memoryMB: 512, diskSizeMB: 1024 };
  if (pathname.endsWith('/sandboxes') && request.method === 'POST') return respond(sandbox, 201);
  if (pathname.endsWith('/v2/sandboxes')) return respond([{ ...info, state: 'running' }]);
  if (!pathname.includes('/sandboxes/sandbox1')) {
    return respond({ code: 404, message: 'sandbox not found' }, 404);
  }
  if (request.method === 'GET') return respond({ ...info, state: 'running' });
  response.writeHead(204).end();
};
