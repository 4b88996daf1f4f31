import { describe, expect, it } from 'vitest';
import { setupClient, shownEntries, until } from '../testing/client-setup.ts';
import { sendProblem } from '../testing/platform-server.ts';
import { codeOf } from '../testing/token-setup.ts';

const idleType = 'session.status_idle';

describe('Conversation.send', () => {
  it('creates the session with one request whose response is the event stream', async () => {
    const { platform, client } = await setupClient();
    const conversation = client.conversation();
    const sent = conversation.send('Hi there');
    expect(shownEntries(conversation)).toEqual(['Hi there (sending)']);
    await sent;
    await until(() => conversation.state.stopReason !== null);

    expect(shownEntries(conversation)).toEqual(['Hi there (sent)', '> Hello. (done)']);
    expect(conversation.state).toMatchObject({ running: false, connection: 'open', lastSeq: 6 });
    expect(conversation.state.session?.id).toBe('ses_1');
    expect(platform.countReceived('POST', /sessions/)).toBe(1);
    expect(platform.countReceived('GET', /stream/)).toBe(0);
  });

  it('keeps the key of an entry after its message is sent', async () => {
    const { client } = await setupClient();
    const conversation = client.conversation();
    const sent = conversation.send('Hi');
    const key = conversation.state.entries[0]?.key;
    await sent;
    await conversation.send('Again');
    await until(() => conversation.state.entries.length === 4);

    expect(conversation.state.entries[0]).toMatchObject({ key, id: 'evt_1', seq: 1 });
    expect(shownEntries(conversation)).toEqual([
      'Hi (sent)',
      '> Hello. (done)',
      'Again (sent)',
      '> Hello. (done)',
    ]);
  });

  it('creates one session when the response to the first message is lost', async () => {
    const { platform, client } = await setupClient();
    let drops = 2;
    platform.intercept = ({ method, path }, response) => {
      if (method !== 'POST' || !path.includes('/sessions') || drops === 0) return undefined;
      drops -= 1;
      // The session is created, but the response is lost.
      response.writeHead = () => response.destroy();
      return undefined;
    };
    const conversation = client.conversation();
    await conversation.send('Hi');
    await until(() => conversation.state.stopReason !== null);

    expect(platform.sessions.length).toBe(1);
    expect(shownEntries(conversation)).toEqual(['Hi (sent)', '> Hello. (done)']);
  });

  it('S26: adds a message to the log once when its response is lost', async () => {
    const { platform, client } = await setupClient();
    const conversation = client.conversation();
    await conversation.send('Hi');
    let lost = false;
    platform.intercept = ({ method, path }, response) => {
      if (method !== 'POST' || !path.endsWith('/events') || lost) return undefined;
      lost = true;
      response.writeHead = () => response.destroy();
      return undefined;
    };
    await conversation.send('Twice?');
    await until(() => !conversation.state.running && conversation.state.entries.length === 4);

    expect(
      platform.session('ses_1').log.filter((each) => each.type === 'user.message'),
    ).toHaveLength(2);
    expect(platform.countReceived('POST', /events$/)).toBe(2);
    expect(shownEntries(conversation).slice(2)).toEqual(['Twice? (sent)', '> Hello. (done)']);
  });

  it('queues messages while offline, and sends them once and in order', async () => {
    const { platform, client, page } = await setupClient();
    const conversation = client.conversation();
    await conversation.send('Hi');
    await until(() => conversation.state.entries.length === 2);
    page.emit('offline');
    const sent = Promise.all([conversation.send('one'), conversation.send('two')]);
    await until(() => conversation.state.connection === 'offline');
    expect(shownEntries(conversation).slice(2)).toEqual(['one (queued)', 'two (queued)']);
    expect(conversation.state.running).toBe(false);

    page.emit('online');
    await sent;
    await until(() => conversation.state.entries.length === 6 && !conversation.state.running);
    expect(shownEntries(conversation).slice(2)).toEqual([
      'one (sent)',
      '> Hello. (done)',
      'two (sent)',
      '> Hello. (done)',
    ]);
    expect(platform.countReceived('POST', /events$/)).toBe(2);
  });

  it('keeps a rejected message, and sends it again on retry', async () => {
    const { platform, client } = await setupClient();
    const conversation = client.conversation();
    platform.intercept = ({ method }, response) => {
      if (method !== 'POST') return undefined;
      sendProblem(response, 402, 'EMBED_BUDGET_EXCEEDED');
      return 'handled';
    };
    expect(await codeOf(conversation.send('Hi'))).toBe('EMBED_BUDGET_EXCEEDED');
    expect(shownEntries(conversation)).toEqual(['Hi (failed)']);
    expect(conversation.state.running).toBe(false);
    expect(client.auth.status).toBe('over_budget');

    platform.intercept = () => undefined;
    conversation.retry();
    await until(() => conversation.state.stopReason !== null);
    expect(shownEntries(conversation)).toEqual(['Hi (sent)', '> Hello. (done)']);
    expect(client.auth.status).toBe('ok');
  });

  it('keeps a message of another tab that has the same content', async () => {
    const { platform, client } = await setupClient();
    const conversation = client.conversation();
    await conversation.send('Hi');
    await until(() => conversation.state.stopReason !== null);
    platform.answer = null;
    const session = platform.session('ses_1');
    session.append({ type: 'user.message', content: [{ type: 'text', text: 'yes' }] });
    await conversation.send('yes');
    await until(() => conversation.state.lastSeq === session.log.length);

    expect(shownEntries(conversation).slice(2)).toEqual(['yes (sent)', 'yes (sent)']);
    const ids = conversation.state.entries.map((entry) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a conversation with a run', () => {
  it('S27: adds late fragments to a stopped message, and sends one interrupt', async () => {
    const { platform, client } = await setupClient();
    platform.answer = null;
    const conversation = client.conversation();
    await conversation.send('Tell me');
    const session = platform.session('ses_1');
    session.append({ type: 'session.status_running' });
    session.live({ type: 'event_start', event: { id: 'evt_a', type: 'agent.message' } });
    const delta = (text: string) => ({
      type: 'event_delta',
      event_id: 'evt_a',
      delta: { type: 'content_delta', index: 0, content: { type: 'text', text } },
    });
    session.live(delta('Once'));
    await until(() => shownEntries(conversation)[1] === '> Once (streaming)');
    platform.intercept = ({ body }, response) => {
      if (!JSON.stringify(body).includes('user.interrupt')) return undefined;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [], next_page: null, next_cursor: null }));
      return 'handled';
    };
    conversation.stop();
    conversation.stop();
    expect(shownEntries(conversation)[1]).toBe('> Once (stopped)');
    session.live(delta(' upon'));
    await until(() => shownEntries(conversation)[1] === '> Once upon (stopped)');
    const content = [{ type: 'text', text: 'Once upon' }];
    session.append({ type: 'agent.message', id: 'evt_a', content, incomplete: 'interrupted' });
    session.end();
    await until(() => !conversation.state.running);

    expect(shownEntries(conversation)).toEqual(['Tell me (sent)', '> Once upon (stopped)']);
    expect(conversation.state.stopping).toBe(false);
    expect(
      platform.received.filter((each) => JSON.stringify(each.body).includes('interrupt')),
    ).toHaveLength(1);
  });

  it('S27: sends an interrupt after the queued message whose run it stops', async () => {
    const { platform, client, page } = await setupClient();
    platform.answer = null;
    page.emit('offline');
    const conversation = client.conversation();
    const sent = conversation.send('Tell me');
    conversation.stop();
    page.emit('online');
    await sent;
    await until(() => conversation.state.stopReason !== null);

    const types = platform.session('ses_1').log.map((event) => event.type);
    expect(types).toEqual(['user.message', 'user.interrupt', idleType]);
  });

  it('sends the user’s denial of a tool call, and the result of a host page’s tool', async () => {
    const { platform, client } = await setupClient();
    platform.answer = null;
    const conversation = client.conversation();
    await conversation.send('Do it');
    const session = platform.session('ses_1');
    const tool = { name: 'pay', input: { cents: 5 } };
    session.append({ type: 'session.status_running' });
    const [payCall] = session.append({
      type: 'agent.tool_use',
      ...tool,
      evaluated_permission: 'ask',
    });
    const [mapCall] = session.append({ type: 'agent.custom_tool_use', name: 'map', input: {} });
    const event_ids = [payCall?.id, mapCall?.id];
    session.append({ type: idleType, stop_reason: { type: 'requires_action', event_ids } });
    await until(() => conversation.state.stopReason?.type === 'requires_action');
    expect(shownEntries(conversation).slice(1)).toEqual([
      'tool pay (approval)',
      'tool map (waiting)',
    ]);

    await conversation.confirmTool(String(payCall?.id), 'deny', 'No money');
    await conversation.submitToolResult(String(mapCall?.id), 'A map');
    await until(() => shownEntries(conversation)[2] === 'tool map (done)');
    expect(shownEntries(conversation)[1]).toBe('tool pay (denied)');
    expect(conversation.state.entries[2]).toMatchObject({ result: 'A map' });
  });
});
