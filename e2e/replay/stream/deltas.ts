import type { FinishReason, Turn } from '../answers/answer.ts';
import type { ReplayOptions } from './options.ts';
import type { Random } from './random.ts';
import { splitTokens } from './split-tokens.ts';

export interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: 'function';
  readonly function: { readonly name?: string; readonly arguments: string };
}

export interface Delta {
  readonly role?: 'assistant';
  readonly content?: string | null;
  readonly refusal?: null;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly tool_calls?: readonly ToolCallDelta[];
}

/** A delta with its number of tokens. */
export interface CountedDelta {
  readonly delta: Delta;
  readonly tokens: number;
}

/** A turn, split into tokens. */
export interface TokenizedTurn {
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  readonly calls: readonly TokenizedCall[];
  readonly finish: FinishReason;
  readonly total: number;
}

export interface TokenizedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: readonly string[];
}

/**
 * Splits a turn into tokens.
 *
 * @param wanted Length of the answer in tokens; 0 for all.
 * @param limit Maximum tokens of the request; null for no limit.
 */
export function tokenizeTurn(turn: Turn, wanted: number, limit: number | null): TokenizedTurn {
  const reasoning = splitTokens(turn.reasoning ?? '');
  const whole = splitTokens(turn.text);
  const calls = (turn.toolCalls ?? []).map((call, index) => ({
    id: `call_replay${index + 1}`,
    name: call.name,
    arguments: splitTokens(JSON.stringify(call.arguments)),
  }));
  const short = wanted > 0 ? whole.slice(0, wanted) : whole;
  const text = limit === null ? short : short.slice(0, limit);
  const cut = text.length < short.length;
  const finish = cut ? 'length' : (turn.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
  const kept = cut ? [] : calls;
  const total =
    reasoning.length + text.length + kept.reduce((sum, call) => sum + call.arguments.length + 1, 0);
  return { reasoning, text, calls: kept, finish, total };
}

/** Yields the deltas between the chunk with the role and the one with the finish reason. */
export function* turnDeltas(
  turn: TokenizedTurn,
  options: ReplayOptions,
  random: Random,
): Generator<CountedDelta> {
  const field = options.quirks.includes('reasoning-field') ? 'reasoning' : 'reasoning_content';
  const grouped = (tokens: readonly string[]) => group(tokens, options.chunks, random);

  for (const { text, tokens } of grouped(turn.reasoning))
    yield { delta: { [field]: text }, tokens };
  for (const { text, tokens } of grouped(turn.text)) yield { delta: { content: text }, tokens };
  for (const [index, call] of turn.calls.entries()) {
    const opening = { index, id: call.id, type: 'function' } as const;
    const begun = { ...opening, function: { name: call.name, arguments: '' } };
    yield { delta: { tool_calls: [begun] }, tokens: 1 };
    for (const { text, tokens } of grouped(call.arguments)) {
      yield { delta: { tool_calls: [{ index, function: { arguments: text } }] }, tokens };
    }
  }
}

function* group(tokens: readonly string[], chunks: ReplayOptions['chunks'], random: Random) {
  for (let start = 0; start < tokens.length; ) {
    const size = { token: 1, burst: random.between(5, 40), whole: tokens.length }[chunks];
    const taken = tokens.slice(start, start + size);
    yield { text: taken.join(''), tokens: taken.length };
    start += taken.length;
  }
}
