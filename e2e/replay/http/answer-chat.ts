import type { ServerResponse } from 'node:http';
import type { Answer, Turn } from '../answers/answer.ts';
import type { Clock } from '../clock.ts';
import { type TokenizedTurn, tokenizeTurn } from '../stream/deltas.ts';
import { type Envelope, streamEvents, type Usage } from '../stream/events.ts';
import { endingOf, withFault } from '../stream/fault-in-stream.ts';
import type { ReplayOptions } from '../stream/options.ts';
import { createRandom } from '../stream/random.ts';
import { sendWrites } from '../stream/send-writes.ts';
import { splitTokens } from '../stream/split-tokens.ts';
import { toWrites, type Write } from '../stream/writes.ts';
import type { ChatRequest } from './chat-request.ts';
import type { Exchange } from './exchange.ts';

export interface Chat {
  readonly request: ChatRequest;
  readonly response: ServerResponse;
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly options: ReplayOptions;
  readonly id: string;
  readonly clock: Clock;
}

/** Sends the answer, up to the point at which the fault interrupts it. */
export async function answerChat(chat: Chat): Promise<void> {
  const { request, response, exchange, options, clock } = chat;
  const limit = request.max_completion_tokens ?? request.max_tokens ?? null;
  const turn = tokenizeTurn(turnFor(request, chat.answer), options.tokens, limit);
  const isStream = request.stream === true;

  response.writeHead(200, {
    'content-type': isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
    ...(isStream && { 'cache-control': 'no-cache' }),
    'x-request-id': `req_${chat.id}`,
  });
  response.flushHeaders();
  const writes = isStream ? streamWrites(chat, turn) : bodyWrites(chat, turn);
  await sendWrites(response, writes, options, clock, exchange.signal, (write) => {
    exchange.tokensSent += write.tokens;
  });
  if (!exchange.signal.aborted) end(chat);
}

function end({ response, exchange, options }: Chat): void {
  const ending = endingOf(options.fault);
  if (ending === 'end') response.end();
  // After `hang`, the response stays open until the client closes it.
  else if (ending !== 'hang') exchange.cut(ending);
}

/** Selects the turn by the number of tool rounds since the last user message. */
function turnFor(request: ChatRequest, answer: Answer): Turn {
  const lastQuestion = request.messages.findLastIndex((message) => message.role === 'user');
  const rounds = request.messages
    .slice(lastQuestion + 1)
    .filter((message) => message.tool_calls != null).length;
  const last = answer.turns.length - 1;
  const offered = new Set(
    request.tool_choice === 'none' ? [] : request.tools?.map((tool) => tool.function.name),
  );

  for (let index = Math.min(rounds, last); index <= last; index++) {
    const turn = answer.turns[index];
    if (!turn?.toolCalls) return turn ?? { text: '' };
    const toolCalls = turn.toolCalls.filter((call) => offered.has(call.name));
    if (toolCalls.length > 0) return { ...turn, toolCalls };
  }
  return { text: '' };
}

function streamWrites(chat: Chat, turn: TokenizedTurn): Iterable<Write> {
  const { request, options } = chat;
  const random = createRandom(options.seed);
  const wantsUsage = request.stream_options?.include_usage === true;
  const events = streamEvents(turn, envelopeOf(chat, wantsUsage, turn), options, random);
  return toWrites(withFault(events, turn.total, options), options.writes, random);
}

/** A completion as a JSON body in two writes, so that a fault can occur between them. */
function* bodyWrites(chat: Chat, turn: TokenizedTurn): Generator<Write> {
  const { fault } = chat.options;
  if (fault === 'hang-start') return;
  const { usage, ...head } = envelopeOf(chat, true, turn);
  const message = {
    role: 'assistant',
    content: turn.text.length === 0 && turn.calls.length > 0 ? null : turn.text.join(''),
    refusal: null,
    ...(turn.reasoning.length > 0 && { reasoning_content: turn.reasoning.join('') }),
    ...(turn.calls.length > 0 && {
      tool_calls: turn.calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments.join('') },
      })),
    }),
  };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: turn.finish }];
  const body = Buffer.from(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
  const half = Math.floor(body.length / 2);
  yield { bytes: body.subarray(0, half), tokens: turn.total / 2 };
  // Every mid-stream fault leaves an incomplete body.
  if (fault === null) yield { bytes: body.subarray(half), tokens: turn.total / 2 };
}

function envelopeOf(chat: Chat, wantsUsage: boolean, turn: TokenizedTurn): Envelope {
  const { request, id, clock } = chat;
  const created = Math.floor(clock.now() / 1000);
  const usage = wantsUsage ? usageOf(request, turn) : null;
  return { id: `chatcmpl-${id}`, created, model: request.model, usage };
}

function usageOf(request: ChatRequest, turn: TokenizedTurn): Usage {
  const asked = splitTokens(JSON.stringify([request.messages, request.tools ?? []])).length;
  return {
    prompt_tokens: asked,
    completion_tokens: turn.total,
    total_tokens: asked + turn.total,
    completion_tokens_details: { reasoning_tokens: turn.reasoning.length },
  };
}
