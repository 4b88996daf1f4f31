import type { LogEvent } from '@inlay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toModelMessages } from './history.ts';
import { nextStep } from './plan.ts';

/** Creates a log of these events, with consecutive `seq` and, by default, the ids `e1`, `e2` … */
function logOf(...events: ({ type: string; id?: string } & Record<string, unknown>)[]): LogEvent[] {
  return events.map(
    (event, index) =>
      ({ id: `e${index + 1}`, processed_at: '', seq: index + 1, ...event }) as LogEvent,
  );
}

const userMessage = (text: string) => ({ type: 'user.message', content: [{ type: 'text', text }] });
const agentMessage = (text: string) => ({
  type: 'agent.message',
  content: [{ type: 'text', text }],
});
const requestStart = (id: string) => ({ type: 'span.model_request_start', id });
const requestEnd = (id: string, isError = false) => ({
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
const loadNothing = async () => null;

describe('nextStep', () => {
  it('ends the run for an empty log', () => {
    expect(nextStep([])).toEqual({ type: 'rest' });
  });

  it('calls the model for a message, and ends the run after the agent message', () => {
    expect(nextStep(logOf(userMessage('a')))).toEqual({ type: 'call_model', repeat: false });
    expect(
      nextStep(logOf(userMessage('a'), requestStart('r'), agentMessage('b'), requestEnd('r'))),
    ).toEqual({
      type: 'rest',
    });
  });

  it('repeats a model request that was lost when its process died', () => {
    expect(nextStep(logOf(userMessage('a'), requestStart('r')))).toEqual({
      type: 'call_model',
      repeat: true,
    });
  });

  it('calls the model for a message that was sent during a request', () => {
    const log = logOf(
      userMessage('a'),
      requestStart('r'),
      userMessage('b'),
      agentMessage('c'),
      requestEnd('r'),
    );

    expect(nextStep(log)).toEqual({ type: 'call_model', repeat: false });
  });

  it('ignores messages before an interrupt', () => {
    expect(nextStep(logOf(userMessage('a'), userMessage('b'), { type: 'user.interrupt' }))).toEqual(
      {
        type: 'rest',
      },
    );
    expect(
      nextStep(logOf(userMessage('a'), { type: 'user.interrupt' }, userMessage('b'))).type,
    ).toBe('call_model');
  });

  it('ignores messages before the end of a failed run', () => {
    expect(nextStep(logOf(userMessage('a'), idle('budget_reached')))).toEqual({ type: 'rest' });
  });

  it('runs allowed tools before it waits for the confirmation of other calls', () => {
    const log = logOf(
      userMessage('a'),
      requestStart('r'),
      tool('t1'),
      tool('t2', 'ask'),
      requestEnd('r'),
    );

    expect(nextStep(log)).toMatchObject({ type: 'run_tools', calls: [{ id: 't1' }] });
    expect(nextStep([...log, ...logOf(...log, result('t1')).slice(-1)])).toEqual({
      type: 'wait',
      callIds: ['t2'],
    });
  });

  it('uses the first of two confirmations of the same call', () => {
    const confirm = (answer: string) => ({
      type: 'user.tool_confirmation',
      tool_use_id: 't',
      result: answer,
    });
    const log = logOf(
      userMessage('a'),
      requestStart('r'),
      tool('t', 'ask'),
      requestEnd('r'),
      confirm('deny'),
      confirm('allow'),
    );

    expect(nextStep(log)).toMatchObject({ type: 'refuse', calls: [{ id: 't' }] });
  });

  it('ends the run or waits after a finite number of steps, for every log', () => {
    const event = fc.constantFrom(
      userMessage('a'),
      { type: 'user.interrupt' },
      tool('t1'),
      tool('t2', 'ask'),
      { type: 'user.tool_confirmation', tool_use_id: 't2', result: 'allow' },
      requestStart('r'),
      requestEnd('r'),
      requestEnd('r', true),
      agentMessage('b'),
      idle('end_turn'),
      idle('retries_exhausted'),
    );

    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const log: ReturnType<typeof userMessage>[] = [...events] as never;
        for (let step = 0; step < 30; step++) {
          const next = nextStep(logOf(...log));
          if (next.type === 'rest' || next.type === 'wait') return;
          log.push(...(performStep(next, step) as never[]));
        }
        throw new Error('the run does not end');
      }),
    );
  });
});

/** The events that a run would append for a step. */
function performStep(step: ReturnType<typeof nextStep>, round: number) {
  if (step.type === 'call_model')
    return [requestStart(`q${round}`), agentMessage('ok'), requestEnd(`q${round}`)];
  if (step.type === 'run_tools' || step.type === 'refuse')
    return step.calls.map(({ id }) => result(id));
  return [];
}

describe('toModelMessages', () => {
  it('places a message that was sent during an answer after the answer', async () => {
    const log = logOf(
      userMessage('a'),
      requestStart('r'),
      userMessage('b'),
      agentMessage('to a'),
      requestEnd('r'),
    );

    expect(await toModelMessages(log, loadNothing)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', text: 'to a', toolCalls: [] },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
    ]);
  });

  it('places after each call its result, or a note if the call has no result', async () => {
    const log = logOf(
      userMessage('a'),
      requestStart('r'),
      tool('t1'),
      { type: 'agent.custom_tool_use', id: 't2', name: 'y', input: {} },
      requestEnd('r'),
      userMessage('b'),
      result('t1'),
    );

    expect(
      (await toModelMessages(log, loadNothing)).map((entry) => [
        entry.role,
        'text' in entry && entry.text,
      ]),
    ).toEqual([
      ['user', false],
      ['assistant', ''],
      ['tool', 'done'],
      ['tool', 'The user continued without answering this call.'],
      ['user', false],
    ]);
  });

  it('includes the newest attachments up to a total size, and replaces older ones by text', async () => {
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

  it('measures the texts of attachments in bytes', async () => {
    const document = { type: 'document', source: { type: 'file', file_id: 'f' } };
    const log = logOf({ type: 'user.message', content: [document] });
    // One byte more than the limit of 32 MiB.
    const text = `x${'é'.repeat(16_777_216)}`;

    const [message] = await toModelMessages(log, async () => ({ type: 'text', text }));

    expect(message).toEqual({
      role: 'user',
      content: [{ type: 'text', text: expect.stringContaining('left out') }],
    });
  });
});
