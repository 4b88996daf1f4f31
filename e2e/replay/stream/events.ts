import { type Delta, type TokenizedTurn, turnDeltas } from './deltas.ts';
import type { ReplayOptions } from './options.ts';
import type { Random } from './random.ts';

/** A serialized event or comment, with its number of tokens. */
export interface StreamEvent {
  readonly text: string;
  readonly tokens: number;
}

/** Fields that are the same in every chunk of a completion. */
export interface Envelope {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  /** Null if the client did not request it. */
  readonly usage: Usage | null;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Yields the stream of an answer with its quirks, but without faults. */
export function* streamEvents(
  turn: TokenizedTurn,
  envelope: Envelope,
  options: ReplayOptions,
  random: Random,
): Generator<StreamEvent> {
  const has = (quirk: ReplayOptions['quirks'][number]) => options.quirks.includes(quirk);
  const sometimes = () => random.between(1, 4) === 1;
  const write = eventWriter(options);
  const { usage, ...head } = envelope;
  const chunk = (choices: readonly object[], last: Usage | null = null, tokens = 0) =>
    write.data(
      JSON.stringify({
        id: head.id,
        object: 'chat.completion.chunk',
        created: head.created,
        model: head.model,
        system_fingerprint: 'fp_replay',
        choices,
        // If the client requests usage, every chunk has the field; only in the last one it is not null.
        ...(usage && { usage: last }),
      }),
      tokens,
    );
  const choice = (delta: Delta, finish: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason: finish },
  ];

  if (has('comments')) yield write.comment('REPLAY PROCESSING');
  if (has('no-choices')) yield chunk([]);
  const content = turn.text.length === 0 && turn.calls.length > 0 ? null : '';
  yield chunk(choice({ role: 'assistant', content, refusal: null }));

  for (const { delta, tokens } of turnDeltas(turn, options, random)) {
    if (has('comments') && sometimes()) yield write.comment('');
    if (has('empty-deltas') && sometimes()) yield chunk(choice({}));
    if (has('empty-deltas') && sometimes()) yield chunk(choice({ content: '' }));
    if (has('no-choices') && sometimes()) yield chunk([]);
    const role = has('role-repeated') ? ({ role: 'assistant' } as const) : {};
    yield chunk(choice({ ...role, ...delta }), null, tokens);
  }

  if (!has('no-finish')) yield chunk(choice({}, turn.finish));
  if (usage && !has('no-usage')) yield chunk([], usage);
  if (!has('no-done')) yield write.data('[DONE]', 0);
  if (has('trailing-junk')) yield write.data('{"late":true}', 0);
  if (has('trailing-junk')) yield { text: 'junk without an end', tokens: 0 };
}

/** Creates functions that serialize events with the line ends and encoding of the options. */
export function eventWriter(options: ReplayOptions) {
  const end = options.lines === 'crlf' ? '\r\n' : '\n';
  const spell = options.quirks.includes('ascii-json') ? escapeNonAscii : (json: string) => json;
  return {
    data: (json: string, tokens: number): StreamEvent => ({
      text: `data: ${spell(json)}${end}${end}`,
      tokens,
    }),
    comment: (text: string): StreamEvent => ({ text: `: ${text}${end}${end}`, tokens: 0 }),
  };
}

/** Escapes non-ASCII characters like Python's `json.dumps`, astral ones as surrogate pairs. */
function escapeNonAscii(json: string): string {
  return json.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
