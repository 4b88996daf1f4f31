import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, answers, type Turn } from './answers.ts';
import { type ChatRequest, checkChatRequest } from './check-chat-request.ts';

/** How requests are answered. */
export interface Playback {
  readonly answer: keyof typeof answers;
  /** Content of a chunk: a token, 5 to 40 tokens, or everything. @default 'token' */
  readonly chunks?: 'token' | 'burst' | 'whole';
  /**
   * How events are divided into writes: one or five per write, one over several writes, or split
   * inside every multi-byte character. @default 'event'
   */
  readonly writes?: 'event' | 'packed' | 'torn' | 'split-utf8';
  /** Line ending in events. @default '\n' */
  readonly lineEnd?: '\n' | '\r\n';
  /** Peculiarities of providers, all of which clients must accept. */
  readonly quirks?: readonly (
    | 'comments'
    | 'empty-deltas'
    | 'no-choices'
    | 'role-repeated'
    | 'no-usage'
  )[];
  /** Finish reason. @default `stop`, or `tool_calls` after calls. */
  readonly finish?: string;
  /** Tokens per second. By default, as fast as the client reads. */
  readonly tokensPerSecond?: number;
  readonly fault?: Fault;
  /** Number of requests that the fault affects. By default, all. */
  readonly times?: number;
}

/**
 * A failure instead of the answer (a 429, a 500, a reset connection, or headers without a body), or in
 * the middle of the answer (an error event, an event that is not JSON, or a reset connection).
 */
export type Fault =
  | 'rate-limit'
  | 'server-error'
  | 'reset'
  | 'hang'
  | 'error-mid-stream'
  | 'malformed'
  | 'cut-reset';

export interface ReplayRequest {
  /** Resolves when the response is closed. `aborted`: it was closed before its end. */
  readonly closed: Promise<{ aborted: boolean }>;
}

export interface ReplayServer {
  /** Base URL with the version, for example `http://127.0.0.1:40123/v1`. */
  readonly url: string;
  /** Sets how the following requests are answered. */
  play(playback: Playback): void;
  /** Resolves with the next request when it has been read. */
  nextRequest(): Promise<ReplayRequest>;
  close(): Promise<void>;
}

/** Starts an OpenAI-compatible endpoint that replays the answers of `answers.ts`. */
export async function startReplayServer(): Promise<ReplayServer> {
  let playback: Playback = { answer: 'short' };
  let requestCount = 0;
  const waiters: ((request: ReplayRequest) => void)[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body = JSON.parse(text) as ChatRequest;
    const closed = once(response, 'close').then(() => ({ aborted: !response.writableFinished }));
    for (const resolve of waiters.splice(0)) resolve({ closed });
    const requestError = checkChatRequest(body);
    if (requestError !== null) return sendError(response, 400, requestError);
    const { fault, ...rest } = playback;
    requestCount += 1;
    const isFaulty = fault !== undefined && requestCount <= (playback.times ?? Infinity);
    await answerRequest(body, response, isFaulty ? playback : rest);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play(next) {
      playback = next;
      requestCount = 0;
    },
    nextRequest: () => new Promise((resolve) => waiters.push(resolve)),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 429 && { 'retry-after': '0' }),
  });
  response.end(JSON.stringify({ error: { message, type: 'error', param: null, code: null } }));
}

async function answerRequest(request: ChatRequest, response: ServerResponse, playback: Playback) {
  const { fault, tokensPerSecond } = playback;
  if (fault === 'rate-limit') return sendError(response, 429, 'Rate limit reached.');
  if (fault === 'server-error') return sendError(response, 500, 'The server had an error.');
  if (fault === 'reset') return void response.socket?.resetAndDestroy();
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  if (fault === 'hang') return;
  const events = [...eventsOf(turnFor(request, answers[playback.answer]), playback)];
  const middle = Math.floor(events.length / 2);
  if (fault === 'error-mid-stream') {
    events.splice(middle, Infinity, streamEvent({ error: { message: 'It failed.' } }, playback));
  }
  if (fault === 'malformed') events.splice(middle, 0, streamEvent('{"choi', playback));
  if (fault === 'cut-reset') events.splice(middle);
  for (const { bytes, tokens } of writesOf(events, playback)) {
    if (tokensPerSecond !== undefined) await delay((1000 * tokens) / tokensPerSecond);
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(bytes, resolve));
  }
  if (fault === 'cut-reset') response.socket?.resetAndDestroy();
  else response.end();
}

/** Selects the turn by the number of tool rounds since the last message of the user. */
function turnFor({ messages }: ChatRequest, answer: Answer): Turn {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  const rounds = messages.slice(question).filter((message) => message.tool_calls != null).length;
  return answer[Math.min(rounds, answer.length - 1)] ?? answer[0];
}

/** Bytes of the stream, and the number of tokens in them. */
interface StreamBytes {
  readonly bytes: Buffer;
  readonly tokens: number;
}

function streamEvent(data: object | string, { lineEnd = '\n' }: Playback, tokens = 0): StreamBytes {
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  return { bytes: Buffer.from(`data: ${json}${lineEnd}${lineEnd}`), tokens };
}

function* eventsOf(turn: Turn, playback: Playback): Generator<StreamBytes> {
  const { quirks = [], lineEnd = '\n' } = playback;
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'replay' };
  const chunk = (delta: object, tokens = 0, finish_reason: string | null = null) =>
    streamEvent({ ...head, choices: [{ index: 0, delta, finish_reason }] }, playback, tokens);
  const noChoices = (fields = {}) => streamEvent({ ...head, choices: [], ...fields }, playback);
  const role = quirks.includes('role-repeated') ? { role: 'assistant' } : {};

  if (quirks.includes('no-choices')) yield noChoices();
  yield chunk({ role: 'assistant', content: '' });
  for (const [field, text = ''] of [
    ['reasoning_content', turn.reasoning],
    ['content', turn.text],
  ] as const) {
    for (const { part, tokens } of partsOf(text, playback)) {
      if (quirks.includes('comments'))
        yield { bytes: Buffer.from(`: ${lineEnd}${lineEnd}`), tokens: 0 };
      if (quirks.includes('empty-deltas')) yield chunk({});
      if (quirks.includes('no-choices')) yield noChoices();
      yield chunk({ ...role, [field]: part }, tokens);
    }
  }
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    const named = { index, id: `call_${index}`, type: 'function' };
    yield chunk({ tool_calls: [{ ...named, function: { name: call.name, arguments: '' } }] });
    for (const { part, tokens } of partsOf(JSON.stringify(call.arguments), playback)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: part } }] }, tokens);
    }
  }
  yield chunk({}, 0, playback.finish ?? (turn.toolCalls ? 'tool_calls' : 'stop'));
  const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
  if (!quirks.includes('no-usage')) yield noChoices({ usage });
  yield streamEvent('[DONE]', playback);
}

/** Divides a text into the content of chunks. A token has four code points. */
function* partsOf(text: string, { chunks }: Playback) {
  const tokens = text.match(/.{1,4}/gsu) ?? [];
  const sizes = { token: [1], burst: [5, 40, 13], whole: [Infinity] }[chunks ?? 'token'];
  for (let start = 0, partIndex = 0; start < tokens.length; partIndex += 1) {
    const part = tokens.slice(start, start + (sizes[partIndex % sizes.length] ?? 1));
    start += part.length;
    yield { part: part.join(''), tokens: part.length };
  }
}

function* writesOf(events: readonly StreamBytes[], { writes }: Playback): Generator<StreamBytes> {
  if (writes === 'packed') {
    for (let index = 0; index < events.length; index += 5) {
      const together = events.slice(index, index + 5);
      const tokens = together.reduce((sum, each) => sum + each.tokens, 0);
      yield { bytes: Buffer.concat(together.map(({ bytes }) => bytes)), tokens };
    }
    return;
  }
  for (const { bytes, tokens } of events) {
    let start = 0;
    for (const end of [...cutsOf(bytes, writes), bytes.length]) {
      yield { bytes: bytes.subarray(start, end), tokens: start === 0 ? tokens : 0 };
      start = end;
    }
  }
}

function cutsOf(bytes: Buffer, writes: Playback['writes']): number[] {
  if (writes === 'torn') return [3, bytes.length >> 1, bytes.length - 1];
  if (writes !== 'split-utf8') return [];
  return [...bytes.entries()].flatMap(([index, byte]) => (byte >= 0xc0 ? [index + 1] : []));
}
