import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LogEventType, logEvents } from './events.ts';
import { readEvent, readEventText, seqOf } from './read-event.ts';

const common = { id: 'evt_1', processed_at: '2026-01-01T00:00:00Z', seq: 1 };
const content = [{ type: 'text', text: 'Hi' }];
const error = { type: 'x', message: 'no', retry_status: { type: 'terminal' } };

/** The fields of one valid event of every type. */
const samples: Record<LogEventType, Record<string, unknown>> = {
  'user.message': { content },
  'user.interrupt': {},
  'user.tool_confirmation': { tool_use_id: 'evt_1', result: 'allow' },
  'user.custom_tool_result': { custom_tool_use_id: 'evt_1', content, is_error: null },
  'user.card_action': { card_id: 'evt_1', action: 'book', values: { seats: 2 } },
  'agent.message': { content, incomplete: null },
  'agent.thinking': {},
  'agent.tool_use': { name: 'look', input: {} },
  'agent.tool_result': { tool_use_id: 'evt_1', is_error: true },
  'agent.custom_tool_use': { name: 'look', input: { at: 1 } },
  'agent.card': { card: { title: null, blocks: [{ type: 'hologram' }] } },
  'agent.suggestions': { prompts: [{ label: 'And tomorrow?' }] },
  'session.status_running': {},
  'session.status_idle': { stop_reason: { type: 'requires_action', event_ids: ['evt_1'] } },
  'session.status_rescheduled': {},
  'session.status_terminated': {},
  'session.updated': { title: null },
  'session.deleted': {},
  'session.error': { error },
  'span.model_request_start': {},
  'span.model_request_end': {
    model_request_start_id: 'evt_1',
    is_error: false,
    model_usage: { input_tokens: 1, output_tokens: 1 },
  },
};

describe('readEvent', () => {
  it('accepts a valid event of every type, and rejects only events that their schema also rejects', () => {
    for (const [type, fields] of Object.entries(samples)) {
      const event = { type, ...common, ...fields, added: { by: 'a newer server' } };
      const schema = logEvents[type as LogEventType];
      expect([type, schema.safeParse(event).success]).toEqual([type, true]);
      expect(readEvent(event)).toEqual({ kind: 'log', event });
      for (const name of ['id', 'seq', ...Object.keys(fields)]) {
        const { [name]: _, ...incomplete } = event as Record<string, unknown>;
        // Fields that no client needs may be missing.
        if (readEvent(incomplete).kind === 'invalid') {
          expect(schema.safeParse(incomplete).success).toBe(false);
        }
      }
      expect(readEvent({ ...event, id: undefined }).kind).toBe('invalid');
    }
  });

  it('reads events that occur only in streams', () => {
    const created = {
      type: 'session.created',
      session: { id: 'ses_1', status: 'idle', title: null, metadata: {} },
    };
    const start = { type: 'event_start', event: { id: 'evt_2', type: 'agent.message' } };
    const delta = {
      type: 'event_delta',
      event_id: 'evt_2',
      delta: { type: 'content_delta', index: 0, content: { type: 'text', text: 'Hi' } },
    };

    for (const event of [created, start, delta]) {
      expect(readEvent(event)).toEqual({ kind: 'live', event });
    }
  });

  it('returns an unknown type with its position in the log', () => {
    expect(readEvent({ type: 'agent.dance', seq: 7 })).toEqual({
      kind: 'unknown',
      type: 'agent.dance',
      seq: 7,
    });
    expect(readEvent({ type: 'event_hint' })).toMatchObject({ kind: 'unknown', seq: 0 });
  });

  it('does not treat the names of built-in properties as known event types', () => {
    expect(readEvent({ type: 'constructor' }).kind).toBe('unknown');
    expect(readEventText('{"type":"__proto__"}').kind).toBe('unknown');
  });

  it('reads a `session.error` without `seq` as the error that ends a stream', () => {
    const { seq: _, ...unlogged } = common;
    expect(readEvent({ type: 'session.error', ...unlogged, error }).kind).toBe('stream_error');
    expect(readEvent({ type: 'session.error', ...common, error }).kind).toBe('log');
  });

  it('returns the path of an invalid field, but never its value', () => {
    const invalid = { type: 'agent.message', ...common, content: [{ type: 5, text: 'secret' }] };
    const result = readEvent(invalid);
    expect(result).toEqual({ kind: 'invalid', fault: 'content.0.type', seq: 1 });
    expect(seqOf(result)).toBe(1);
  });

  it('never throws, for any input', () => {
    const types = fc.constantFrom(...Object.keys(samples), 'constructor', 'event_delta', 'x');
    fc.assert(
      fc.property(fc.anything(), types, fc.jsonValue(), (value, type, fields) => {
        readEvent(value);
        readEvent({ ...common, ...Object(fields), type });
        readEventText(JSON.stringify(fields));
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(readEventText(text)).toHaveProperty('kind');
      }),
    );
  });
});
