import type { LiveEvent, LogEvent } from '@inlay/protocol';
import fc from 'fast-check';
import { formatFrame, type SseFrame } from './sse-frame.ts';

/** An event of a generated session, in the order of the server. */
export interface ServerEvent {
  readonly frame: SseFrame;
  /** The message, if the tested client sends it; null for all other events. */
  readonly ownMessage: OwnMessage | null;
}

export interface OwnMessage {
  readonly key: string;
  readonly event: LogEvent<'user.message'>;
}

/** An event type that only a newer server knows. */
export const unknownType = 'agent.dance' as string;

/** Texts that are difficult for parsers and decoders. */
const difficultTexts = [
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

/** Actions of the agent in a run. `restart` loses the output of a model request and begins another. */
const agentActions = ['think', 'answer', 'restart', 'stop early', 'call', 'unknown'] as const;
type AgentAction = (typeof agentActions)[number];

/** A message of the user, and the run that answers it. */
interface Turn {
  /** Index in `difficultTexts`. */
  readonly message: number;
  readonly isOwn: boolean;
  /** Each with the indexes of its texts in `difficultTexts`. */
  readonly actions: readonly (readonly [AgentAction, readonly number[]])[];
}

const texts = fc.array(fc.nat(difficultTexts.length - 1), { maxLength: 4 });
const turn: fc.Arbitrary<Turn> = fc.record({
  // Only two texts, so that different messages have the same text.
  message: fc.nat(1),
  isOwn: fc.boolean(),
  actions: fc.array(fc.tuple(fc.constantFrom(...agentActions), texts), { maxLength: 3 }),
});

/** Generates sessions of one to three turns with all kinds of events. */
export const generatedSession: fc.Arbitrary<readonly ServerEvent[]> = fc
  .array(turn, { minLength: 1, maxLength: 3 })
  .map((turns) => new SessionBuilder().build(turns));

type Fields<Event> = Event extends LogEvent ? Omit<Event, 'id' | 'seq' | 'processed_at'> : never;

class SessionBuilder {
  readonly #events: ServerEvent[] = [];
  #seq = 0;
  #fragment = 0;
  #outputs = 0;

  build(turns: readonly Turn[]): readonly ServerEvent[] {
    for (const { message, isOwn, actions } of turns) {
      this.#addMessage(difficultTexts[message] ?? '', isOwn);
      this.#addToLog({ type: 'session.status_running' });
      const start = this.#addToLog({ type: 'span.model_request_start' });
      for (const [action, textIndexes] of actions) this.#addAction(action, textIndexes);
      const usage = { input_tokens: 1, output_tokens: 1 };
      const ended = { model_request_start_id: start.id, is_error: false, model_usage: usage };
      this.#addToLog({ type: 'span.model_request_end', ...ended });
      this.#addToLog({ type: 'session.status_idle', stop_reason: { type: 'end_turn' } });
    }
    return this.#events;
  }

  #addMessage(text: string, isOwn: boolean): void {
    const content = [{ type: 'text' as const, text }];
    const event = this.#createEvent({ type: 'user.message', content }) as LogEvent<'user.message'>;
    const frame = formatFrame(event, event.seq, 0);
    this.#events.push({ frame, ownMessage: isOwn ? { key: `key_${event.seq}`, event } : null });
  }

  #addAction(action: AgentAction, textIndexes: readonly number[]): void {
    if (action === 'call') {
      const { id } = this.#addToLog({ type: 'agent.tool_use', name: 'look', input: {} });
      const content = [{ type: 'text' as const, text: joinTexts(textIndexes) }];
      this.#addToLog({ type: 'agent.tool_result', tool_use_id: id, content });
    } else if (action === 'unknown') {
      const event = { type: unknownType, steps: textIndexes.length };
      this.#addToLog(event as unknown as Fields<LogEvent>);
    } else {
      this.#addOutput(action === 'think' ? 'agent.thinking' : 'agent.message', textIndexes, action);
    }
  }

  /** Adds streamed output, and its event in the log unless the action ends before. */
  #addOutput(
    type: 'agent.message' | 'agent.thinking',
    textIndexes: readonly number[],
    action: AgentAction,
  ): void {
    this.#outputs += 1;
    const id = `evt_output_${this.#outputs}`;
    this.#addFragment({ type: 'event_start', event: { id, type } });
    for (const index of textIndexes) {
      const content = { type: 'text' as const, text: difficultTexts[index] ?? '' };
      // The server sends no empty fragments.
      if (content.text === '') continue;
      const delta = { type: 'content_delta' as const, index: 0, content };
      this.#addFragment({ type: 'event_delta', event_id: id, delta });
    }
    if (action === 'stop early') return;
    if (action === 'restart') {
      this.#addToLog({ type: 'session.status_rescheduled' });
      this.#addToLog({ type: 'span.model_request_start' });
    } else {
      this.#addToLog({ type, content: [{ type: 'text', text: joinTexts(textIndexes) }] }, id);
    }
  }

  #addFragment(event: LiveEvent): void {
    this.#fragment += 1;
    this.#events.push({ frame: formatFrame(event, this.#seq, this.#fragment), ownMessage: null });
  }

  #addToLog(fields: Fields<LogEvent>, id?: string): LogEvent {
    const event = this.#createEvent(fields, id);
    this.#events.push({ frame: formatFrame(event, event.seq, 0), ownMessage: null });
    return event;
  }

  #createEvent(fields: Fields<LogEvent>, id?: string): LogEvent {
    this.#seq += 1;
    this.#fragment = 0;
    const processed_at = new Date(Date.UTC(2026, 0, 1) + this.#seq * 1000).toISOString();
    return { ...fields, id: id ?? `evt_${this.#seq}`, processed_at, seq: this.#seq } as LogEvent;
  }
}

function joinTexts(indexes: readonly number[]): string {
  return indexes.map((index) => difficultTexts[index] ?? '').join('');
}
