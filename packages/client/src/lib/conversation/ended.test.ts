import { afterEach, describe, expect, it } from 'vitest';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import type { Entry } from './state.ts';

let bed: TestBed;
afterEach(() => bed.close());

/** A conversation in the middle of a run: a tool is running and the agent is thinking. */
async function startThinking() {
  bed = createTestBed({ answer: () => null });
  const session = bed.platform.createSession({ user: 'ada' });
  const conversation = bed.client.conversation(session.id);
  await bed.until(() => conversation.state.connection === 'open');
  session.begin();
  session.append({ type: 'agent.tool_use', name: 'search', input: {} });
  const output = session.start('agent.thinking');
  output.add('Let me see');
  const progress = () =>
    conversation.state.entries.map((entry: Entry) => 'progress' in entry && entry.progress);
  await bed.until(() => progress().length === 2);
  expect(progress()).toEqual(['running', 'streaming']);
  return { session, conversation, output, progress };
}

describe('entries in progress', () => {
  it('end when the user is blocked', async () => {
    const { conversation, progress } = await startThinking();
    bed.platform.block('ada');
    await bed.until(() => conversation.state.connection === 'closed');

    expect(progress()).toEqual(['stopped', 'failed']);
    expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'Let me see' });
    expect(conversation.state.running).toBe(false);
  });

  it('end when the session is deleted while the tab is offline', async () => {
    const { session, conversation, progress } = await startThinking();
    bed.page.goOffline();
    await bed.openTab().client.sessions.delete(session.id);
    bed.page.goOnline();
    await bed.until(() => conversation.state.connection === 'closed');

    expect(conversation.state.error?.code).toBe('NOT_FOUND');
    expect(progress()).toEqual(['stopped', 'failed']);
  });

  it('end when the session is terminated, and when the conversation is closed', async () => {
    const ended = await startThinking();
    ended.session.terminate();
    await bed.until(() => ended.conversation.state.session?.status === 'terminated');
    expect(ended.progress()).toEqual(['stopped']);
    await bed.close();

    const closed = await startThinking();
    closed.conversation.close();
    expect(closed.progress()).toEqual(['stopped', 'failed']);
  });

  it('end when the session is archived, and continue when it is unarchived', async () => {
    const { session, conversation, progress } = await startThinking();
    session.append(
      { type: 'agent.tool_use', name: 'pay', input: {}, evaluated_permission: 'ask' },
      { type: 'agent.custom_tool_use', name: 'look', input: {} },
    );
    session.end('requires_action');
    await bed.until(() => conversation.state.stopReason !== null);
    expect(progress()).toEqual(['running', 'approval', 'waiting']);

    await bed.client.sessions.archive(session.id);
    await bed.until(() => Boolean(conversation.state.session?.archived_at));
    expect(progress()).toEqual(['stopped', 'stopped', 'stopped']);
    expect(conversation.state).toMatchObject({ running: false, stoppable: false });
    // A tab that opens the archived session loads the session before its tool calls.
    const opened = bed.openTab().client.conversation(session.id);
    await bed.until(() => opened.state.entries.length === 3);
    expect(opened.state.entries).toMatchObject([
      { progress: 'stopped' },
      { progress: 'stopped' },
      { progress: 'stopped' },
    ]);

    await bed.client.sessions.unarchive(session.id);
    await bed.until(() => !conversation.state.session?.archived_at);
    expect(progress()).toEqual(['running', 'approval', 'waiting']);
  });

  it('continue when the user regains access', async () => {
    const { session, conversation, output, progress } = await startThinking();
    bed.user = null;
    bed.platform.revoke(bed.platform.requests[0]?.tokenId ?? '');
    await bed.until(() => conversation.state.connection === 'closed');
    expect(progress()).toEqual(['stopped', 'failed']);
    bed.user = 'ada';
    await bed.client.reconnect();
    await bed.until(() => conversation.state.connection === 'open');
    expect(progress()).toEqual(['running', 'streaming']);

    output.add('…');
    output.finish();
    session.end();
    await bed.until(() => !conversation.state.running);
    expect(progress()).toEqual(['stopped', 'done']);
    expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'Let me see…' });
  });
});
