import { type LogEventType, logEvents } from '@inlay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvent, readEventText } from './read-event.ts';

const common = { id: 'evt_1', processed_at: '2026-01-01T00:00:00Z', seq: 1 };
const content = [{ type: 'text', text: 'Hi' }];
const error = { type: 'x', message: 'no', retry_status: { type: 'terminal' } };

/** One good event of every type. The compiler asks for a new one when a type is added. */
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
  it('reads what the protocol’s schemas read, and refuses the same losses', () => {
    for (const [type, fields] of Object.entries(samples)) {
      const good = { type, ...common, ...fields, added: { by: 'a newer server' } };
      const schema = logEvents[type as LogEventType];
      expect([type, schema.safeParse(good).success]).toEqual([type, true]);
      expect(readEvent(good)).toEqual({ kind: 'log', event: good });
      for (const name of ['id', 'seq', ...Object.keys(fields)]) {
        const { [name]: _, ...poor } = good as Record<string, unknown>;
        // What is needed by the reducer is asked for; what it never reads is not.
        if (readEvent(poor).kind === 'invalid') expect(schema.safeParse(poor).success).toBe(false);
      }
      expect(readEvent({ ...good, id: undefined }).kind).toBe('invalid');
    }
  });

  it('never throws, whatever it is given', () => {
    const types = fc.constantFrom(...Object.keys(samples), 'constructor', 'event_delta', 'x');
    fc.assert(
      fc.property(fc.anything(), types, fc.jsonValue(), (value, type, fields) => {
        readEvent(value);
        readEvent({ ...common, ...Object(fields), type });
        readEventText(JSON.stringify(fields));
      }),
    );
  });

  it('passes over a type of a newer server, with its place in the log', () => {
    expect(readEvent({ type: 'agent.dance', seq: 7 })).toEqual({
      kind: 'unknown',
      type: 'agent.dance',
      seq: 7,
    });
    expect(readEvent({ type: 'constructor' })).toMatchObject({ kind: 'unknown' });
  });

  it('takes an error without a place in the log for the end of a token', () => {
    const { seq: _, ...unplaced } = common;
    expect(readEvent({ type: 'session.error', ...unplaced, error }).kind).toBe('stream_error');
    expect(readEvent({ type: 'session.error', ...common, error }).kind).toBe('log');
  });

  it('names the field that is wrong, and never its value', () => {
    const secret = { type: 'agent.message', ...common, content: [{ type: 5, text: 'secret' }] };
    expect(readEvent(secret)).toEqual({ kind: 'invalid', fault: 'content.0.type', seq: 1 });
  });
});
