import type { LiveEvent, LogEvent } from '@inlay/protocol';
import fc from 'fast-check';
import { type Frame, frameOf } from './frame.ts';

/** An event at the server. */
export interface Happening {
  readonly frame: Frame;
  /** The message, if this client sends it. */
  readonly typed: Typed | null;
}

export interface Typed {
  readonly key: string;
  readonly event: LogEvent<'user.message'>;
}

/** An event type of a newer server. */
export const unknownType = 'agent.dance' as string;

/** Texts that are difficult for parsers and decoders. */
const pieces = [
  'Hi',
  ' ',
  'é',
  '👩‍👩‍👧',
  '\r\n',
  '\n\ndata: x\n\n',
  '\uFEFF',
  '\0',
  '"\\',
  'שלום',
  '',
];

/**
 * Actions of an agent in a turn: think, answer, lose an answer and restart, leave an answer unfinished,
 * call a tool, or send an unknown event.
 */
const deeds = ['think', 'say', 'lose', 'break off', 'call', 'dance'] as const;
type Deed = (typeof deeds)[number];

interface Turn {
  readonly says: number;
  readonly typed: boolean;
  readonly deeds: readonly (readonly [Deed, readonly number[]])[];
}

const text = fc.array(fc.nat(pieces.length - 1), { maxLength: 4 });
const turn: fc.Arbitrary<Turn> = fc.record({
  // Few words, so that messages have the same text.
  says: fc.nat(1),
  typed: fc.boolean(),
  deeds: fc.array(fc.tuple(fc.constantFrom(...deeds), text), { maxLength: 3 }),
});

/** Sessions of a few turns, with all kinds of events. */
export const toldSession: fc.Arbitrary<readonly Happening[]> = fc
  .array(turn, { minLength: 1, maxLength: 3 })
  .map((turns) => new Teller().tell(turns));

type Fields<Event> = Event extends LogEvent ? Omit<Event, 'id' | 'seq' | 'processed_at'> : never;

class Teller {
  readonly #happenings: Happening[] = [];
  #seq = 0;
  #fragment = 0;
  #parts = 0;

  tell(turns: readonly Turn[]): readonly Happening[] {
    for (const { says, typed, deeds } of turns) {
      this.#say(pieces[says] ?? '', typed);
      this.#log({ type: 'session.status_running' });
      const start = this.#log({ type: 'span.model_request_start' });
      for (const [deed, words] of deeds) this.#do(deed, words);
      const usage = { input_tokens: 1, output_tokens: 1 };
      const ended = { model_request_start_id: start.id, is_error: false, model_usage: usage };
      this.#log({ type: 'span.model_request_end', ...ended });
      this.#log({ type: 'session.status_idle', stop_reason: { type: 'end_turn' } });
    }
    return this.#happenings;
  }

  #say(words: string, typed: boolean): void {
    const content = [{ type: 'text' as const, text: words }];
    const event = this.#event({ type: 'user.message', content }) as LogEvent<'user.message'>;
    const frame = frameOf(event, event.seq, 0);
    this.#happenings.push({ frame, typed: typed ? { key: `key_${event.seq}`, event } : null });
  }

  #do(deed: Deed, words: readonly number[]): void {
    if (deed === 'call') {
      const { id } = this.#log({ type: 'agent.tool_use', name: 'look', input: {} });
      const content = [{ type: 'text' as const, text: wholeText(words) }];
      this.#log({ type: 'agent.tool_result', tool_use_id: id, content });
    } else if (deed === 'dance') {
      this.#log({ type: unknownType, steps: words.length } as unknown as Fields<LogEvent>);
    } else {
      this.#produce(deed === 'think' ? 'agent.thinking' : 'agent.message', words, deed);
    }
  }

  /** Streams output, then logs it, unless its process dies. */
  #produce(type: 'agent.message' | 'agent.thinking', words: readonly number[], deed: Deed): void {
    this.#parts += 1;
    const id = `evt_part_${this.#parts}`;
    this.#live({ type: 'event_start', event: { id, type } });
    for (const word of words) {
      const content = { type: 'text' as const, text: pieces[word] ?? '' };
      // An empty fragment is never sent.
      if (content.text === '') continue;
      const delta = { type: 'content_delta' as const, index: 0, content };
      this.#live({ type: 'event_delta', event_id: id, delta });
    }
    if (deed === 'break off') return;
    if (deed === 'lose') {
      this.#log({ type: 'session.status_rescheduled' });
      this.#log({ type: 'span.model_request_start' });
    } else {
      this.#log({ type, content: [{ type: 'text', text: wholeText(words) }] }, id);
    }
  }

  #live(event: LiveEvent): void {
    this.#fragment += 1;
    this.#happenings.push({ frame: frameOf(event, this.#seq, this.#fragment), typed: null });
  }

  #log(fields: Fields<LogEvent>, id?: string): LogEvent {
    const event = this.#event(fields, id);
    this.#happenings.push({ frame: frameOf(event, event.seq, 0), typed: null });
    return event;
  }

  #event(fields: Fields<LogEvent>, id?: string): LogEvent {
    this.#seq += 1;
    this.#fragment = 0;
    const processed_at = new Date(Date.UTC(2026, 0, 1) + this.#seq * 1000).toISOString();
    return { ...fields, id: id ?? `evt_${this.#seq}`, processed_at, seq: this.#seq } as LogEvent;
  }
}

function wholeText(words: readonly number[]): string {
  return words.map((word) => pieces[word] ?? '').join('');
}
