import type { LogEvent } from '@inlay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toModelMessages } from './history.ts';
import { nextStep } from './plan.ts';

/** A log of these events, with consecutive `seq`; ids are `e1`, `e2` … unless given. */
function logOf(...events: ({ type: string; id?: string } & Record<string, unknown>)[]): LogEvent[] {
  return events.map(
    (event, index) =>
      ({ id: `e${index + 1}`, processed_at: '', seq: index + 1, ...event }) as LogEvent,
  );
}

const said = (text: string) => ({ type: 'user.message', content: [{ type: 'text', text }] });
const answered = (text: string) => ({ type: 'agent.message', content: [{ type: 'text', text }] });
const asked = (id: string) => ({ type: 'span.model_request_start', id });
const ended = (id: string, isError = false) => ({
  type: 'span.model_request_end',
  model_request_start_id: id,
  is_error: isError,
  model_usage: { input_tokens: 0, output_tokens: 0 },
});
const tool = (id: string, permission = 'allow') => ({
  type: 'agent.tool_use',
  id,
  name: 'x',
  input: {},
  evaluated_permission: permission,
});
const result = (id: string) => ({
  type: 'agent.tool_result',
  tool_use_id: id,
  content: [{ type: 'text', text: 'done' }],
});
const idle = (type: string) => ({ type: 'session.status_idle', stop_reason: { type } });
const text = async () => null;

describe('nextStep', () => {
  it('rests on an empty log', () => {
    expect(nextStep([])).toEqual({ type: 'rest' });
  });

  it('asks the model for what was said, and rests when it has answered', () => {
    expect(nextStep(logOf(said('a')))).toEqual({ type: 'ask_model', repeat: false });
    expect(nextStep(logOf(said('a'), asked('r'), answered('b'), ended('r')))).toEqual({
      type: 'rest',
    });
  });

  it('asks again where a request was lost with its process', () => {
    expect(nextStep(logOf(said('a'), asked('r')))).toEqual({ type: 'ask_model', repeat: true });
  });

  it('owes an answer to what was said during a request', () => {
    const log = logOf(said('a'), asked('r'), said('b'), answered('c'), ended('r'));

    expect(nextStep(log)).toEqual({ type: 'ask_model', repeat: false });
  });

  it('owes nothing that precedes a stop', () => {
    expect(nextStep(logOf(said('a'), said('b'), { type: 'user.interrupt' }))).toEqual({
      type: 'rest',
    });
    expect(nextStep(logOf(said('a'), { type: 'user.interrupt' }, said('b'))).type).toBe(
      'ask_model',
    );
  });

  it('owes nothing that a run gave up', () => {
    expect(nextStep(logOf(said('a'), idle('budget_reached')))).toEqual({ type: 'rest' });
  });

  it('runs what may run before it waits for the rest', () => {
    const log = logOf(said('a'), asked('r'), tool('t1'), tool('t2', 'ask'), ended('r'));

    expect(nextStep(log)).toMatchObject({ type: 'run_tools', calls: [{ id: 't1' }] });
    expect(nextStep([...log, ...logOf(...log, result('t1')).slice(-1)])).toEqual({
      type: 'wait',
      callIds: ['t2'],
    });
  });

  it('takes the first confirmation of two', () => {
    const confirm = (answer: string) => ({
      type: 'user.tool_confirmation',
      tool_use_id: 't',
      result: answer,
    });
    const log = logOf(
      said('a'),
      asked('r'),
      tool('t', 'ask'),
      ended('r'),
      confirm('deny'),
      confirm('allow'),
    );

    expect(nextStep(log)).toMatchObject({ type: 'refuse', calls: [{ id: 't' }] });
  });

  it('comes to rest from every log, whatever was sent in whatever order', () => {
    const event = fc.constantFrom(
      said('a'),
      { type: 'user.interrupt' },
      tool('t1'),
      tool('t2', 'ask'),
      { type: 'user.tool_confirmation', tool_use_id: 't2', result: 'allow' },
      asked('r'),
      ended('r'),
      ended('r', true),
      answered('b'),
      idle('end_turn'),
      idle('retries_exhausted'),
    );

    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const log: ReturnType<typeof said>[] = [...events] as never;
        for (let step = 0; step < 30; step++) {
          const next = nextStep(logOf(...log));
          if (next.type === 'rest' || next.type === 'wait') return;
          log.push(...(does(next, step) as never[]));
        }
        throw new Error('it goes on for ever');
      }),
    );
  });
});

/** The events that a run would append for a step. */
function does(step: ReturnType<typeof nextStep>, round: number) {
  if (step.type === 'ask_model') return [asked(`q${round}`), answered('ok'), ended(`q${round}`)];
  if (step.type === 'run_tools' || step.type === 'refuse')
    return step.calls.map(({ id }) => result(id));
  return [];
}

describe('toModelMessages', () => {
  it('puts what was said during an answer after it', async () => {
    const log = logOf(said('a'), asked('r'), said('b'), answered('to a'), ended('r'));

    expect(await toModelMessages(log, text)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', text: 'to a', toolCalls: [] },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
    ]);
  });

  it('puts each result behind its call, and says so where there is none', async () => {
    const log = logOf(
      said('a'),
      asked('r'),
      tool('t1'),
      { type: 'agent.custom_tool_use', id: 't2', name: 'y', input: {} },
      ended('r'),
      said('b'),
      result('t1'),
    );

    expect(
      (await toModelMessages(log, text)).map((entry) => [
        entry.role,
        'text' in entry && entry.text,
      ]),
    ).toEqual([
      ['user', false],
      ['assistant', ''],
      ['tool', 'done'],
      ['tool', 'The person went on without answering this call.'],
      ['user', false],
    ]);
  });

  it('brings the newest attachments before the model, and says where one was left out', async () => {
    const image = (file_id: string) => ({ type: 'image', source: { type: 'file', file_id } });
    const log = logOf(
      ...['f1', 'f2', 'f3', 'f4'].map((id) => ({ type: 'user.message', content: [image(id)] })),
    );
    const loaded: string[] = [];

    const messages = await toModelMessages(log, async (id) => {
      loaded.push(id);
      return { type: 'image', mimeType: 'image/png', bytes: new Uint8Array(15_000_000) };
    });

    expect(messages.map((entry) => entry.role === 'user' && entry.content[0]?.type)).toEqual([
      'text',
      'text',
      'image',
      'image',
    ]);
    expect(loaded).toEqual(['f4', 'f3', 'f2']);
  });
});
