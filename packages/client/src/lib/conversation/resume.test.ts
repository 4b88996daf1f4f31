import { describe, expect, it } from 'vitest';
import { setupClient, shown, until } from '../testing/client-setup.ts';
import { problem } from '../testing/fake-platform.ts';
import { codeOf } from '../testing/token-setup.ts';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const start = (id: string) => ({ type: 'event_start', event: { id, type: 'agent.message' } });
const delta = (id: string, value: string) => ({
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
  setup.platform.append(session, 'session.status_running');
  return { ...setup, conversation, session };
}

describe('a conversation whose stream is interrupted', () => {
  it('S03: resumes during an agent message, without lost or repeated text', async () => {
    const { platform, conversation, session } = await setupRun();
    platform.live(session, start('evt_a'));
    platform.live(session, delta('evt_a', 'Once upon'));
    await until(() => shown(conversation)[1] === '> Once upon (streaming)');
    platform.disconnect(session);
    await until(() => session.streams.size === 1);
    platform.live(session, start('evt_a'));
    platform.live(session, delta('evt_a', 'Once upon a time'));
    await until(() => shown(conversation)[1] === '> Once upon a time (streaming)');
    platform.append(session, 'agent.message', { id: 'evt_a', ...text('Once upon a time.') });
    platform.endRun(session);
    await until(() => !conversation.state.running);

    expect(shown(conversation)).toEqual(['Tell me (sent)', '> Once upon a time. (done)']);
    const resumed = platform.requests.findLast((each) => each.path.includes('/stream'));
    expect(resumed?.headers['last-event-id']).toBe('2');
  });

  it('S07: removes the partial entry if the server crashes during a run', async () => {
    const { platform, conversation, session } = await setupRun();
    platform.live(session, start('evt_a'));
    platform.live(session, delta('evt_a', 'Half'));
    await until(() => conversation.state.entries.length === 2);
    platform.disconnect(session);
    platform.append(session, 'session.status_rescheduled');
    platform.append(session, 'agent.message', { id: 'evt_b', ...text('Whole.') });
    platform.endRun(session);
    await until(() => !conversation.state.running);

    expect(shown(conversation)).toEqual(['Tell me (sent)', '> Whole. (done)']);
  });

  it('S11: retries or ends depending on the response to a stream request', async () => {
    const { platform, conversation, session } = await setupRun();
    let attempts = 0;
    platform.script = ({ path }, response) => {
      if (!path.includes('/stream')) return undefined;
      attempts += 1;
      if (attempts === 1) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      else if (attempts === 2) problem(response, 503, 'SERVICE_UNAVAILABLE');
      else if (attempts === 3) response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      else if (attempts === 4)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      else if (attempts === 5) response.writeHead(204).end();
      return 'handled';
    };
    platform.disconnect(session);
    await until(() => conversation.state.connection === 'closed');

    expect(attempts).toBe(5);
    expect(conversation.state.error?.code).toBe('NO_STREAM');
  });

  it('ends when the session no longer exists', async () => {
    const { platform, conversation, session } = await setupRun();
    platform.sessions.clear();
    platform.disconnect(session);
    await until(() => conversation.state.connection === 'closed');

    expect(conversation.state.error?.code).toBe('NOT_FOUND');
    expect(platform.count('GET', /stream/)).toBe(1);
  });

  it('S24: skips unknown and invalid events, and does not request them again', async () => {
    const { platform, conversation, session, diagnostics } = await setupRun();
    platform.append(session, 'agent.dance', { style: 'tango' });
    platform.append(session, 'agent.message', { content: 'not a list' });
    await until(() => diagnostics.length === 2);
    for (const stream of session.streams) stream.write('data: {broken\nid: 5\n\n');
    await until(() => diagnostics.length >= 3);
    session.log.push({ type: 'agent.dance', seq: 5 });
    platform.disconnect(session);
    await until(() => session.streams.size === 1);

    const resumed = platform.requests.findLast((each) => each.path.includes('/stream'));
    expect(resumed?.headers['last-event-id']).toBe('5');
    expect(diagnostics.slice(0, 3)).toEqual([
      { type: 'unknown_event', eventType: 'agent.dance' },
      { type: 'invalid_event', fault: 'content' },
      { type: 'invalid_event', fault: 'JSON' },
    ]);
    expect(shown(conversation)).toEqual(['Tell me (sent)']);
  });

  it('S06: closes a stream with an endless event, and reconnects', async () => {
    const { platform, session, diagnostics } = await setupRun();
    const kilobyte = 'x'.repeat(1024);
    for (const stream of session.streams) {
      stream.write('data: ');
      for (let count = 0; count < 1100 && !stream.destroyed; count += 1) stream.write(kilobyte);
    }
    await until(() => platform.count('GET', /stream/) === 1);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ type: 'stream_retry', code: 'STREAM_OVERFLOW' }),
    );
  });

  it('S06: reads an event of 1.6 MB from the log, and resumes the stream after it', async () => {
    const { platform, conversation, session } = await setupRun();
    platform.append(session, 'agent.message', text('x'.repeat(1_600_000)));
    await until(() => conversation.state.entries.length === 2);
    await until(() => session.streams.size === 1);
    platform.append(session, 'agent.message', text('Behind it.'));
    platform.endRun(session);
    await until(() => !conversation.state.running);

    expect(shown(conversation).map((line) => line.length)).toEqual([14, 1_600_009, 19]);
    expect(platform.count('GET', /\/events\/stream/)).toBe(1);
  });
});

describe('a conversation whose token or user changes', () => {
  it('S20, S21: continues with the next token when the token of the stream has expired', async () => {
    const { platform, conversation, session, tokenCalls, skipTime } = await setupRun();
    skipTime(60_000);
    const connections: string[] = [];
    conversation.subscribe(() => connections.push(conversation.state.connection));
    platform.invalidTokens.set('et_1', 'EMBED_TOKEN_EXPIRED');
    platform.invalidateTokens(session, 'EMBED_TOKEN_EXPIRED');
    await until(() => session.streams.size === 1);
    platform.append(session, 'agent.message', text('Still here.'));
    await until(() => conversation.state.entries.length === 2);

    expect(tokenCalls).toEqual([null, 'et_1']);
    expect(platform.requests.findLast((each) => each.path.includes('/stream'))?.token).toBe('et_2');
    expect(new Set(connections)).toEqual(new Set(['open']));
  });

  it('S22: requests one token after a revocation, and continues with it', async () => {
    const { platform, conversation, session, tokenCalls, client } = await setupRun();
    platform.invalidTokens.set('et_1', 'EMBED_TOKEN_REVOKED');
    platform.invalidateTokens(session, 'EMBED_TOKEN_REVOKED');
    await until(() => session.streams.size === 1);

    expect(tokenCalls).toEqual([null, 'et_1']);
    expect(client.auth.status).toBe('ok');
    platform.append(session, 'agent.message', text('Go on.'));
    await until(() => shown(conversation)[1] === '> Go on. (done)');
  });

  it('S23: ends if the token was revoked while the stream was disconnected', async () => {
    const { platform, conversation, session, tokenCalls, client } = await setupRun({
      getToken: (current) => (current === null ? 'et_1' : null),
    });
    platform.invalidTokens.set('et_1', 'EMBED_TOKEN_REVOKED');
    platform.disconnect(session);
    await until(() => client.auth.status === 'revoked');
    await until(() => conversation.state.connection === 'closed');

    expect(tokenCalls).toEqual([null, 'et_1']);
    expect(shown(conversation)).toEqual(['Tell me (sent)']);
    expect(await codeOf(conversation.send('More'))).toBe('AUTH_DENIED');
    expect(shown(conversation)[1]).toBe('More (failed)');
  });

  it('ends at a second revocation within a minute, and resumes when the user reconnects', async () => {
    const { platform, conversation, session, tokenCalls, client } = await setupRun();
    platform.invalidateTokens(session, 'EMBED_TOKEN_REVOKED');
    await until(() => session.streams.size === 1);
    platform.invalidateTokens(session, 'EMBED_TOKEN_REVOKED');
    await until(() => conversation.state.connection === 'closed');
    expect(client.auth).toMatchObject({ status: 'revoked', canReconnect: true });
    expect(tokenCalls).toHaveLength(2);

    await client.reconnect();
    await until(() => conversation.state.connection === 'open');
    platform.append(session, 'agent.message', text('Welcome back.'));
    await until(() => shown(conversation)[1] === '> Welcome back. (done)');
  });

  it('clears every conversation at once when the token is another user’s', async () => {
    const { platform, conversation, session, client } = await setupRun();
    await client.config();
    platform.subjectOf = (token) => (token === 'et_1' ? 'ada' : 'bob');
    let notifiedEntries: unknown = null;
    conversation.subscribe(() => {
      notifiedEntries = conversation.state.entries;
    });
    platform.invalidateTokens(session, 'EMBED_TOKEN_REVOKED');
    await until(() => client.auth.externalUserId === 'bob');

    expect(notifiedEntries).toEqual([]);
    expect(conversation.state).toMatchObject({ entries: [], session: null, connection: 'closed' });
    expect(await codeOf(conversation.send('As Ada'))).toBe('CLOSED');
    const bobsRequests = platform.requests.filter((each) => each.token === 'et_2');
    expect(bobsRequests.map((each) => each.path)).toEqual(['/agent/v1/embed/config']);
    expect((await client.config()).token.external_user_id).toBe('bob');
  });

  it('clears the state synchronously at reset', async () => {
    const { conversation, client, tokenCalls } = await setupRun();
    client.reset();
    expect(conversation.state.entries).toEqual([]);
    await client.sessions.list();
    expect(tokenCalls).toEqual([null, null]);
  });
});

describe('a conversation that is opened with an existing session', () => {
  it('shows the newest page, streams, and loads earlier pages on request', async () => {
    const { platform, client } = await setupClient();
    const session = platform.session('ses_1');
    for (let turn = 1; turn <= 150; turn += 1) {
      platform.append(session, 'user.message', text(`Question ${turn}`));
      platform.append(session, 'session.status_running');
      platform.append(session, 'agent.message', text(`Answer ${turn}`));
      platform.endRun(session);
    }
    const conversation = client.conversation('ses_1');
    expect(conversation.state.loading).toBe(true);
    await until(() => conversation.state.entries.length > 0);
    expect(conversation.state.entries.length).toBeLessThan(60);
    expect(shown(conversation).at(-1)).toBe('> Answer 150 (done)');
    await until(() => session.streams.size === 1);
    platform.append(session, 'user.message', text('Live'));
    await until(() => conversation.state.lastSeq === 601);
    expect(conversation.state).toMatchObject({ loading: false, hasEarlier: true });
    expect(conversation.state.entries.length).toBeLessThan(60);

    const both = Promise.all([conversation.loadEarlier(), conversation.loadEarlier()]);
    await until(() => conversation.state.loading);
    await both;
    expect(conversation.state.entries.length).toBeGreaterThan(100);
    expect(conversation.state.entries.length).toBeLessThan(150);
    while (conversation.state.hasEarlier) await conversation.loadEarlier();

    expect(conversation.state.entries).toHaveLength(301);
    expect(conversation.state.loading).toBe(false);
    expect(shown(conversation)[0]).toBe('Question 1 (sent)');
    expect(shown(conversation).at(-1)).toBe('Live (sent)');
  });

  it('joins a run in progress', async () => {
    const { platform, client } = await setupClient();
    const session = platform.session('ses_1');
    platform.append(session, 'user.message', text('Question'));
    platform.append(session, 'session.status_running');
    const conversation = client.conversation('ses_1');
    await until(() => session.streams.size === 1);
    expect(conversation.state.running).toBe(true);
    platform.endRun(session);
    await until(() => !conversation.state.running);
  });

  it('reports a session that does not exist', async () => {
    const { client } = await setupClient();
    const conversation = client.conversation('ses_none');
    await until(() => conversation.state.connection === 'closed');
    expect(conversation.state).toMatchObject({ loading: false, entries: [] });
    expect(conversation.state.error?.code).toBe('NOT_FOUND');
  });
});
