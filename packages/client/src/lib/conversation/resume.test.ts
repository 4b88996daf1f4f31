import { describe, expect, it } from 'vitest';
import { setupClient, shownEntries, until } from '../testing/client-setup.ts';
import { sendProblem } from '../testing/platform-server.ts';
import { codeOf } from '../testing/token-setup.ts';

const textContent = (value: string) => ({ content: [{ type: 'text', text: value }] });
const startEvent = (id: string) => ({ type: 'event_start', event: { id, type: 'agent.message' } });
const deltaEvent = (id: string, value: string) => ({
  type: 'event_delta',
  event_id: id,
  delta: { type: 'content_delta', index: 0, content: { type: 'text', text: value } },
});

/** Starts a conversation whose first run is in progress. */
async function setupRun(options: Parameters<typeof setupClient>[0] = {}) {
  const setup = await setupClient(options);
  setup.platform.answer = null;
  const conversation = setup.client.conversation();
  await conversation.send('Tell me');
  const session = setup.platform.session('ses_1');
  session.append({ type: 'session.status_running' });
  return { ...setup, conversation, session };
}

describe('a conversation whose stream is interrupted', () => {
  it('S03: resumes during an agent message, without lost or repeated text', async () => {
    const { platform, conversation, session } = await setupRun();
    session.live(startEvent('evt_a'));
    session.live(deltaEvent('evt_a', 'Once upon'));
    await until(() => shownEntries(conversation)[1] === '> Once upon (streaming)');
    platform.faults.cutStreams();
    await until(() => session.readers === 1);
    session.live(startEvent('evt_a'));
    session.live(deltaEvent('evt_a', 'Once upon a time'));
    await until(() => shownEntries(conversation)[1] === '> Once upon a time (streaming)');
    session.append({ type: 'agent.message', id: 'evt_a', ...textContent('Once upon a time.') });
    session.end();
    await until(() => !conversation.state.running);

    expect(shownEntries(conversation)).toEqual(['Tell me (sent)', '> Once upon a time. (done)']);
    const resumed = platform.received.findLast((each) => each.path.includes('/stream'));
    expect(resumed?.headers['last-event-id']).toBe('2');
  });

  it('S07: removes a partial agent message if the server crashes during the run', async () => {
    const { platform, conversation, session } = await setupRun();
    session.live(startEvent('evt_a'));
    session.live(deltaEvent('evt_a', 'Half'));
    await until(() => conversation.state.entries.length === 2);
    platform.faults.cutStreams();
    session.append({ type: 'session.status_rescheduled' });
    session.append({ type: 'agent.message', id: 'evt_b', ...textContent('Whole.') });
    session.end();
    await until(() => !conversation.state.running);

    expect(shownEntries(conversation)).toEqual(['Tell me (sent)', '> Whole. (done)']);
  });

  it('S11: repeats a stream request after invalid responses, and ends after a 204', async () => {
    const { platform, conversation } = await setupRun();
    let attempts = 0;
    platform.intercept = ({ path }, response) => {
      if (!path.includes('/stream')) return undefined;
      attempts += 1;
      if (attempts === 1) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      else if (attempts === 2) sendProblem(response, 503, 'SERVICE_UNAVAILABLE');
      else if (attempts === 3) response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      else if (attempts === 4)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      else if (attempts === 5) response.writeHead(204).end();
      return 'handled';
    };
    platform.faults.cutStreams();
    await until(() => conversation.state.connection === 'closed');

    expect(attempts).toBe(5);
    expect(conversation.state.error?.code).toBe('NO_STREAM');
  });

  it('ends when the session no longer exists', async () => {
    const { platform, conversation } = await setupRun();
    platform.intercept = ({ path }, response) => {
      if (!path.includes('/stream')) return undefined;
      sendProblem(response, 404, 'NOT_FOUND');
      return 'handled';
    };
    platform.faults.cutStreams();
    await until(() => conversation.state.connection === 'closed');

    expect(conversation.state.error?.code).toBe('NOT_FOUND');
    expect(platform.countReceived('GET', /stream/)).toBe(1);
  });

  it('S24: skips unknown and invalid events, and does not request them again', async () => {
    const { platform, conversation, session, diagnostics } = await setupRun();
    session.append({ type: 'agent.dance', style: 'tango' });
    session.append({ type: 'agent.message', content: 'not a list' });
    await until(() => diagnostics.length === 2);
    for (const stream of platform.streams) stream.write('data: {broken\nid: 5\n\n');
    await until(() => diagnostics.length >= 3);
    platform.faults.cutStreams();
    session.append({ type: 'agent.dance' });
    await until(() => session.readers === 1);

    const resumed = platform.received.findLast((each) => each.path.includes('/stream'));
    expect(resumed?.headers['last-event-id']).toBe('5');
    expect(diagnostics.slice(0, 3)).toEqual([
      { type: 'unknown_event', eventType: 'agent.dance' },
      { type: 'invalid_event', fault: 'content' },
      { type: 'invalid_event', fault: 'JSON' },
    ]);
    expect(shownEntries(conversation)).toEqual(['Tell me (sent)']);
  });

  it('S06: closes a stream with an endless event, and reconnects', async () => {
    const { platform, diagnostics } = await setupRun();
    const kilobyte = 'x'.repeat(1024);
    for (const stream of platform.streams) {
      stream.write('data: ');
      for (let count = 0; count < 1100 && !stream.destroyed; count += 1) stream.write(kilobyte);
    }
    await until(() => platform.countReceived('GET', /stream/) === 1);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ type: 'stream_retry', code: 'STREAM_OVERFLOW' }),
    );
  });

  it('S06: reads an event of 1.6 MB from the log, and resumes the stream after it', async () => {
    const { platform, conversation, session } = await setupRun();
    session.append({ type: 'agent.message', ...textContent('x'.repeat(1_600_000)) });
    await until(() => conversation.state.entries.length === 2);
    await until(() => session.readers === 1);
    session.append({ type: 'agent.message', ...textContent('Behind it.') });
    session.end();
    await until(() => !conversation.state.running);

    expect(shownEntries(conversation).map((line) => line.length)).toEqual([14, 1_600_009, 19]);
    expect(platform.countReceived('GET', /\/events\/stream/)).toBe(1);
  });
});

describe('a conversation whose token or user changes', () => {
  it('S20, S21: continues with the next token when the token of the stream has expired', async () => {
    const { platform, conversation, session, tokenCalls, skipTime } = await setupRun();
    skipTime(60_000);
    const connections: string[] = [];
    conversation.subscribe(() => connections.push(conversation.state.connection));
    platform.expire('et_1');
    await until(() => session.readers === 1);
    session.append({ type: 'agent.message', ...textContent('Still here.') });
    await until(() => conversation.state.entries.length === 2);

    expect(tokenCalls).toEqual([null, 'et_1']);
    expect(platform.received.findLast((each) => each.path.includes('/stream'))?.token).toBe('et_2');
    expect(new Set(connections)).toEqual(new Set(['open']));
  });

  it('S22: requests one token after a revocation, and continues with it', async () => {
    const { platform, conversation, session, tokenCalls, client } = await setupRun();
    platform.revoke('et_1');
    await until(() => session.readers === 1);

    expect(tokenCalls).toEqual([null, 'et_1']);
    expect(client.auth.status).toBe('ok');
    session.append({ type: 'agent.message', ...textContent('Go on.') });
    await until(() => shownEntries(conversation)[1] === '> Go on. (done)');
  });

  it('S23: ends if the token is revoked while the stream is disconnected and the host provides no other token', async () => {
    const { platform, conversation, tokenCalls, client } = await setupRun({
      getToken: (current) => (current === null ? 'et_1' : null),
    });
    platform.faults.cutStreams();
    platform.revoke('et_1');
    await until(() => client.auth.status === 'revoked');
    await until(() => conversation.state.connection === 'closed');

    expect(tokenCalls).toEqual([null, 'et_1']);
    expect(shownEntries(conversation)).toEqual(['Tell me (sent)']);
    expect(await codeOf(conversation.send('More'))).toBe('AUTH_DENIED');
    expect(shownEntries(conversation)[1]).toBe('More (failed)');
  });

  it('ends at a second revocation within a minute, and resumes when the user reconnects', async () => {
    const { platform, conversation, session, tokenCalls, client } = await setupRun();
    platform.revoke('et_1');
    await until(() => session.readers === 1);
    platform.revoke('et_2');
    await until(() => conversation.state.connection === 'closed');
    expect(client.auth).toMatchObject({ status: 'revoked', canReconnect: true });
    expect(tokenCalls).toHaveLength(2);

    await client.reconnect();
    await until(() => conversation.state.connection === 'open');
    session.append({ type: 'agent.message', ...textContent('Welcome back.') });
    await until(() => shownEntries(conversation)[1] === '> Welcome back. (done)');
  });

  it('is cleared when the next token belongs to another user', async () => {
    const { platform, conversation, client } = await setupRun();
    await client.config();
    platform.userOf = (token) => (token === 'et_1' ? 'ada' : 'bob');
    let notifiedEntries: unknown = null;
    conversation.subscribe(() => {
      notifiedEntries = conversation.state.entries;
    });
    platform.revoke('et_1');
    await until(() => client.auth.externalUserId === 'bob');

    expect(notifiedEntries).toEqual([]);
    expect(conversation.state).toMatchObject({ entries: [], session: null, connection: 'closed' });
    expect(await codeOf(conversation.send('As Ada'))).toBe('CLOSED');
    const bobsRequests = platform.received.filter((each) => each.token === 'et_2');
    expect(bobsRequests.map((each) => each.path)).toEqual(['/agent/v1/embed/config']);
    expect((await client.config()).token.external_user_id).toBe('bob');
  });

  it('is cleared synchronously by client.reset()', async () => {
    const { conversation, client, tokenCalls } = await setupRun();
    client.reset();
    expect(conversation.state.entries).toEqual([]);
    await client.sessions.list();
    expect(tokenCalls).toEqual([null, null]);
  });
});

describe('a conversation that is opened with an existing session', () => {
  it('shows the newest page, receives live events, and loads earlier pages on request', async () => {
    const { platform, client } = await setupClient();
    const session = platform.createSession({ user: 'ada' });
    for (let turn = 1; turn <= 150; turn += 1) {
      session.append({ type: 'user.message', ...textContent(`Question ${turn}`) });
      session.append({ type: 'session.status_running' });
      session.append({ type: 'agent.message', ...textContent(`Answer ${turn}`) });
      session.end();
    }
    const conversation = client.conversation('ses_1');
    expect(conversation.state.loading).toBe(true);
    await until(() => conversation.state.entries.length > 0);
    expect(conversation.state.entries.length).toBeLessThan(60);
    expect(shownEntries(conversation).at(-1)).toBe('> Answer 150 (done)');
    await until(() => session.readers === 1);
    session.append({ type: 'user.message', ...textContent('Live') });
    await until(() => conversation.state.lastSeq === 601);
    expect(conversation.state).toMatchObject({ loading: false, hasEarlier: true });
    expect(conversation.state.entries.length).toBeLessThan(60);

    const loads = Promise.all([conversation.loadEarlier(), conversation.loadEarlier()]);
    await until(() => conversation.state.loading);
    await loads;
    expect(conversation.state.entries.length).toBeGreaterThan(100);
    expect(conversation.state.entries.length).toBeLessThan(150);
    while (conversation.state.hasEarlier) await conversation.loadEarlier();

    expect(conversation.state.entries).toHaveLength(301);
    expect(conversation.state.loading).toBe(false);
    expect(shownEntries(conversation)[0]).toBe('Question 1 (sent)');
    expect(shownEntries(conversation).at(-1)).toBe('Live (sent)');
  });

  it('shows a run in progress until it ends', async () => {
    const { platform, client } = await setupClient();
    const session = platform.createSession({ user: 'ada' });
    session.append({ type: 'user.message', ...textContent('Question') });
    session.append({ type: 'session.status_running' });
    const conversation = client.conversation('ses_1');
    await until(() => session.readers === 1);
    expect(conversation.state.running).toBe(true);
    session.end();
    await until(() => !conversation.state.running);
  });

  it('reports NOT_FOUND if the session does not exist', async () => {
    const { client } = await setupClient();
    const conversation = client.conversation('ses_none');
    await until(() => conversation.state.connection === 'closed');
    expect(conversation.state).toMatchObject({ loading: false, entries: [] });
    expect(conversation.state.error?.code).toBe('NOT_FOUND');
  });
});
