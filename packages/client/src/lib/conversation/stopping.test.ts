import { describe, expect, it } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import { setupBed } from '../testing/bed-setup.ts';
import type { TestBed, TestBedOptions } from '../testing/test-bed.ts';

async function setup(answer: NonNullable<TestBedOptions['answer']>) {
  const bed = setupBed({ answer });
  const conversation = bed.client.conversation();
  await conversation.send('Hi');
  return { bed, conversation };
}

const toolCallOf = ({ state }: Conversation) =>
  state.entries.find((entry) => entry.kind === 'tool');
const interrupts = ({ platform }: TestBed) =>
  platform.sessions.flatMap(({ log }) => log.filter(({ type }) => type === 'user.interrupt'));

describe('Conversation.stop', () => {
  it.each([
    ['the page runs', { call: 'look', runs_on: 'page' }, 'waiting', 'stopped'],
    [
      'the page runs after the user’s approval',
      { call: 'look', runs_on: 'page', permission: 'ask' },
      'approval',
      'denied',
    ],
    [
      'the server runs after the user’s approval',
      { call: 'pay', permission: 'ask' },
      'approval',
      'denied',
    ],
  ] as const)('S27: ends a pending tool call that %s', async (_, call, before, after) => {
    const { bed, conversation } = await setup([call, { say: 'Not reached.' }]);
    await bed.until(() => conversation.state.stopReason !== null);
    expect(toolCallOf(conversation)).toMatchObject({ progress: before });
    expect(conversation.state).toMatchObject({ running: false, stoppable: true });

    conversation.stop();
    conversation.stop();
    expect(conversation.state).toMatchObject({ stopping: true, stoppable: true });
    await bed.until(() => !conversation.state.stopping);

    expect(toolCallOf(conversation)).toMatchObject({ progress: after });
    expect(conversation.state).toMatchObject({ stoppable: false, running: false });
    expect(conversation.state.stopReason).toEqual({ type: 'end_turn' });
    expect(conversation.state.entries.map(({ kind }) => kind)).toEqual(['user', 'tool']);
    expect(interrupts(bed)).toHaveLength(1);
    conversation.stop();
    await bed.clock.advance(1_000);
    expect(interrupts(bed)).toHaveLength(1);
  });

  it('S27: ends a pending tool call of an earlier page load', async () => {
    const { bed, conversation } = await setup([{ call: 'look', runs_on: 'page' }]);
    await bed.until(() => conversation.state.stopReason !== null);
    const reopened = bed.openTab().client.conversation(conversation.state.session?.id);
    await bed.until(() => reopened.state.stoppable);

    reopened.stop();
    await bed.until(() => !reopened.state.stoppable && !conversation.state.stoppable);

    expect(toolCallOf(conversation)).toMatchObject({ progress: 'stopped' });
  });

  it('S27: keeps `stopping` true while offline, and sends the interrupt when online', async () => {
    const { bed, conversation } = await setup([{ call: 'look', runs_on: 'page' }]);
    await bed.until(() => conversation.state.stopReason !== null);
    bed.goOffline();
    conversation.stop();
    await bed.clock.advance(60_000);
    expect(conversation.state).toMatchObject({ stopping: true, stoppable: true });

    bed.goOnline();
    await bed.until(() => !conversation.state.stopping);

    expect(toolCallOf(conversation)).toMatchObject({ progress: 'stopped' });
  });

  it('stops a tool call or a message when it is called again after a failed request', async () => {
    const { bed, conversation } = await setup(({ text }) =>
      text === 'Hi' ? [{ call: 'look', runs_on: 'page' }] : [{ say: 'One ' }, { hold: 'two' }],
    );
    await bed.until(() => conversation.state.stopReason !== null);
    const failStop = async () => {
      bed.faults.failNext({ status: 503 }, /events$/, 8);
      conversation.stop();
      await bed.until(() => !conversation.state.stopping, 600_000);
    };
    await failStop();
    expect(toolCallOf(conversation)).toMatchObject({ progress: 'waiting' });
    conversation.stop();
    await bed.until(() => !conversation.state.stoppable);

    await conversation.send('Tell me');
    await bed.until(() => conversation.state.entries.at(-1)?.kind === 'agent');
    await failStop();
    expect(conversation.state.entries.at(-1)).toMatchObject({ progress: 'streaming' });
    expect(conversation.state).toMatchObject({ running: true, stoppable: true });
    conversation.stop();
    expect(conversation.state.entries.at(-1)).toMatchObject({ progress: 'stopped' });
    await bed.until(() => !conversation.state.stoppable);
    expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'One ', progress: 'stopped' });
  });

  it('S27: creates no session after the first message has failed', async () => {
    const bed = setupBed();
    const conversation = bed.client.conversation();
    bed.goOffline();
    const sent = conversation.send('Hi');
    conversation.stop();
    bed.faults.failNext({ status: 503 }, 'POST /sessions', 8);
    bed.goOnline();
    const failed = expect(sent).rejects.toMatchObject({ status: 503 });
    await bed.until(
      () =>
        conversation.state.entries[0]?.kind === 'user' &&
        conversation.state.entries[0].delivery === 'failed',
      600_000,
    );
    await failed;
    await bed.clock.advance(60_000);

    expect(bed.platform.count('POST /sessions')).toBe(8);
    expect(conversation.state).toMatchObject({ stopping: false, error: { status: 503 } });
    conversation.retry();
    await bed.until(() => conversation.state.stopReason !== null);
    expect(bed.platform.session().log.map(({ type }) => type)).not.toContain('user.interrupt');
  });
});
