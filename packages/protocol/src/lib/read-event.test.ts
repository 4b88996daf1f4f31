import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveEvents, logEvents } from './events.ts';
import { readEvent, readEventText } from './read-event.ts';

const logged = { id: 'evt_1', processed_at: '2026-01-01T00:00:00.000Z', seq: 7 };
const text = (value: string) => [{ type: 'text', text: value }];
const error = {
  type: 'embed_token_error',
  code: 'EMBED_TOKEN_REVOKED',
  message: 'The token was revoked.',
  retry_status: { type: 'terminal' },
};

/** One event of every type of the log, as a server sends it. */
const examples = [
  { ...logged, type: 'user.message', content: text('Hello') },
  { ...logged, type: 'user.interrupt' },
  { ...logged, type: 'user.tool_confirmation', tool_use_id: 'evt_0', result: 'allow' },
  { ...logged, type: 'user.custom_tool_result', custom_tool_use_id: 'evt_0', content: text('4') },
  { ...logged, type: 'agent.message', content: text('Hi'), incomplete: 'interrupted' },
  { ...logged, type: 'agent.thinking', content: text('Hm') },
  { ...logged, type: 'agent.tool_use', name: 'weather', input: { city: 'Oslo' } },
  { ...logged, type: 'agent.tool_result', tool_use_id: 'evt_0', content: text('4 °C') },
  { ...logged, type: 'agent.custom_tool_use', name: 'scroll', input: {} },
  { ...logged, type: 'user.card_action', card_id: 'evt_0', action: 'book', values: { seats: 2 } },
  { ...logged, type: 'agent.card', card: { title: 'Seats', blocks: [{ type: 'hologram' }] } },
  { ...logged, type: 'agent.suggestions', prompts: [{ label: 'And tomorrow?' }] },
  { ...logged, type: 'session.status_running' },
  { ...logged, type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
  { ...logged, type: 'session.status_rescheduled' },
  { ...logged, type: 'session.status_terminated' },
  { ...logged, type: 'session.updated', title: 'Oslo' },
  { ...logged, type: 'session.deleted' },
  { ...logged, type: 'session.error', error },
  { ...logged, type: 'span.model_request_start' },
  {
    ...logged,
    type: 'span.model_request_end',
    model_request_start_id: 'evt_0',
    is_error: false,
    model_usage: { input_tokens: 3, output_tokens: 4 },
  },
];

describe('readEvent', () => {
  it('has an example of every type of the log', () => {
    expect(examples.map((example) => example.type).sort()).toEqual(Object.keys(logEvents).sort());
  });

  it.each(examples.map((example) => [example.type, example] as const))(
    'reads %s and keeps fields that it does not know',
    (_type, example) => {
      const sent = { ...example, of_a_newer_server: { kept: true } };

      expect(readEventText(JSON.stringify(sent))).toEqual({ kind: 'log', event: sent });
    },
  );

  it('reads events that occur only in streams', () => {
    const start = { type: 'event_start', event: { id: 'evt_2', type: 'agent.message' } };
    const delta = {
      type: 'event_delta',
      event_id: 'evt_2',
      delta: { type: 'content_delta', index: 0, content: { type: 'text', text: 'Hi' } },
    };

    expect(readEvent(start)).toEqual({ kind: 'live', event: start });
    expect(readEvent(delta)).toEqual({ kind: 'live', event: delta });
    expect(Object.keys(liveEvents)).toContain('session.created');
  });

  it('recognizes the end of the stream’s token by the missing seq', () => {
    const { seq: _, ...unlogged } = logged;
    const frame = { ...unlogged, type: 'session.error', error };

    expect(readEvent(frame)).toEqual({ kind: 'stream_error', event: frame });
  });

  it('returns an unknown type with its seq', () => {
    expect(readEvent({ ...logged, type: 'agent.dance' })).toEqual({
      kind: 'unknown',
      type: 'agent.dance',
      seq: 7,
    });
    expect(readEvent({ type: 'event_hint' })).toEqual({
      kind: 'unknown',
      type: 'event_hint',
      seq: null,
    });
  });

  it('does not treat built-in property names as types', () => {
    expect(readEvent({ type: 'constructor' }).kind).toBe('unknown');
    expect(readEventText('{"type":"__proto__"}').kind).toBe('unknown');
  });

  it('names the missing field of a known type', () => {
    const result = readEvent({ ...logged, type: 'agent.tool_use', name: 'weather' });

    expect(result).toEqual({ kind: 'invalid', issues: expect.stringContaining('input') });
  });

  it('never throws on arbitrary input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.anything().map(fc.stringify)), (input) => {
        expect(readEventText(input)).toHaveProperty('kind');
      }),
    );
    fc.assert(
      fc.property(fc.anything(), (input) => {
        expect(readEvent(input)).toHaveProperty('kind');
      }),
    );
  });

  it('never throws on a known event with one field replaced by an arbitrary value', () => {
    const mutated = fc
      .record({ example: fc.constantFrom(...examples), value: fc.anything(), pick: fc.nat() })
      .map(({ example, value, pick }) => {
        const keys = Object.keys(example);
        return { ...example, [keys[pick % keys.length] ?? 'type']: value };
      });

    fc.assert(
      fc.property(mutated, (input) => {
        expect(readEvent(input)).toHaveProperty('kind');
      }),
    );
  });
});
