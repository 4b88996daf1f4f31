/** Tokens that end while a stream is open. */
import type { GetToken } from '@inlay/client';
import { describe, expect, it } from 'vitest';
import {
  origin,
  type SentRequest,
  startSite,
  streamRequestsOf,
  until,
  untilFinished,
  untilText,
} from './setup.ts';

/**
 * Opens a tab, and waits until an answer has begun. The host returns a token for each request (`again`)
 * or only for the first (`once`).
 */
async function setupAnswer(tokenSupply: 'again' | 'once', cutBefore = '') {
  const site = await startSite();
  const tokenRequests: (string | null)[] = [];
  const ids: string[] = [];
  const getToken: GetToken = async (current) => {
    tokenRequests.push(current);
    if (tokenRequests.length > 1 && tokenSupply === 'once') return null;
    const { id, token } = await site.platform.embedTokens.issue({
      agent: 'test',
      external_user_id: 'ada',
    });
    ids.push(id);
    return token;
  };
  const tab = site.openTab({
    getToken,
    ports: { fetch: fetchCutBefore(cutBefore, (request) => tab.sent.push(request)) },
  });
  const conversation = tab.client.conversation();
  const connections: string[] = [];
  conversation.subscribe(() => connections.push(conversation.state.connection));
  await conversation.send('think');
  await untilText(conversation);
  // The client requests at most one token in five seconds.
  tab.skip(10_000);
  connections.length = 0;
  return { ...site, ...tab, tokenRequests, ids, conversation, connections };
}

/** Creates a `fetch` that interrupts every stream just before `text`. */
function fetchCutBefore(text: string, onRequest: (request: SentRequest) => void): typeof fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', origin);
    onRequest({ method: init?.method ?? 'GET', path: String(url), headers });
    const response = await fetch(url, { ...init, headers });
    const isStream = response.headers.get('content-type')?.includes('event-stream');
    if (!isStream || text === '') return response;
    let pendingText = '';
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          pendingText += Buffer.from(chunk).toString('latin1');
          const keptLength = pendingText.length - pendingText.indexOf(text);
          if (keptLength > pendingText.length) return controller.enqueue(chunk);
          controller.enqueue(chunk.subarray(0, Math.max(0, chunk.length - keptLength)));
          controller.error(new TypeError('terminated'));
        },
      }),
    );
    return new Response(body, response);
  };
}

/** Returns the state that is visible after the token has ended. */
const endState = ({ client, conversation }: Awaited<ReturnType<typeof setupAnswer>>) => ({
  auth: { ...client.auth, error: client.auth.error?.code },
  connection: conversation.state.connection,
  error: conversation.state.error?.code,
  kinds: conversation.state.entries.map(({ kind }) => kind),
});

describe('a token that expires during an answer', () => {
  it('S20: is replaced, and the answer continues without a visible gap', async () => {
    const answer = await setupAnswer('again');
    const { platform, ids, conversation, connections, tokenRequests, readSession, client } = answer;
    await platform.embedTokens.expire(ids[0] ?? '');
    await untilFinished(conversation);

    expect(tokenRequests).toHaveLength(2);
    expect(new Set(connections)).toEqual(new Set(['open']));
    expect(client.auth.status).toBe('ok');
    const last = conversation.state.entries.at(-1);
    expect(last?.kind === 'agent' && last.text).toMatch(/^The ball costs .* 1\.20\.$/s);
    expect((await readSession(conversation.state.session?.id ?? '')).count('agent.message')).toBe(
      1,
    );
  });
});

describe('a token that is revoked during an answer', () => {
  it('S22: leads to one token request, and is not used again', async () => {
    const answer = await setupAnswer('again');
    const { platform, ids, conversation, tokenRequests, client, sent } = answer;
    const before = sent.length;
    await platform.embedTokens.revoke(ids[0] ?? '');
    await untilFinished(conversation);

    expect(tokenRequests).toHaveLength(2);
    expect(tokenRequests[1]).toMatch(/^et_/);
    const bearers = sent.slice(before).map(({ headers }) => headers.get('authorization'));
    expect(bearers.length).toBeGreaterThan(0);
    expect(bearers).not.toContain(`Bearer ${tokenRequests[1]}`);
    expect(client.auth.status).toBe('ok');
    const last = conversation.state.entries.at(-1);
    expect(last?.kind === 'agent' && last.text).toMatch(/^The ball costs .* 1\.20\.$/s);
  });

  it('S22: leads to the same state whether the client gets the final event of the stream or a 401', async () => {
    const withFinalEvent = await setupAnswer('once');
    await withFinalEvent.platform.embedTokens.revoke(withFinalEvent.ids[0] ?? '');
    await until(() => withFinalEvent.client.auth.status === 'revoked');
    await until(() => withFinalEvent.conversation.state.connection === 'closed');
    const after = withFinalEvent.sent.length;

    const cut = await setupAnswer('once');
    cut.proxy.goOffline('reset');
    await cut.platform.embedTokens.revoke(cut.ids[0] ?? '');
    cut.proxy.goOnline();
    await until(() => cut.client.auth.status === 'revoked');
    await until(() => cut.conversation.state.connection === 'closed');

    expect(endState(cut)).toEqual(endState(withFinalEvent));
    expect(endState(withFinalEvent)).toMatchObject({
      auth: { status: 'revoked', canReconnect: true },
    });
    expect(cut.tokenRequests).toHaveLength(2);
    expect(withFinalEvent.tokenRequests).toHaveLength(2);
    expect(withFinalEvent.sent).toHaveLength(after);
  });
});

describe('a token that is revoked while its stream is idle', () => {
  it('S23: ends the access when the final event arrives byte by byte', async () => {
    const split = await setupSplitStream();
    await split.platform.embedTokens.revoke(split.ids[0] ?? '');
    await until(() => split.client.auth.status === 'revoked');
    await until(() => split.conversation.state.connection === 'closed');

    expect(split.tokenRequests).toHaveLength(2);
    expect(split.diagnostics.filter(({ type }) => type === 'invalid_event')).toEqual([]);
  });

  it.each(['session.error', 'embed_token_error', '_REVOKED', 'terminal'])(
    'S23: ends the access when the connection breaks before %j in the final event',
    async (text) => {
      const split = await setupSplitStream(text);
      await split.platform.embedTokens.revoke(split.ids[0] ?? '');
      await until(() => split.client.auth.status === 'revoked');
      await until(() => split.conversation.state.connection === 'closed');

      expect(split.tokenRequests).toHaveLength(2);
    },
  );
});

/** Waits for the end of the answer, and opens a new stream, whose bytes arrive one at a time. */
async function setupSplitStream(cutBefore = '') {
  const answer = await setupAnswer('once', cutBefore);
  const { conversation, proxy, sent } = answer;
  await untilFinished(conversation);
  proxy.faults.add({ type: 'split' }, { path: '/events/stream' });
  proxy.cut('reset');
  await until(() => conversation.state.connection !== 'open');
  await until(() => conversation.state.connection === 'open');
  expect(streamRequestsOf(sent).length).toBeGreaterThan(0);
  return answer;
}
