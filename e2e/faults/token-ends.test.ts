/** Tokens that end while a stream is open, however the news gets through. */
import type { GetToken } from '@inlay/client';
import { describe, expect, it } from 'vitest';
import { answering, finished, origin, type Sent, startSite, streamsOf, until } from './setup.ts';

/** A tab in the middle of an answer. Its host gives a token once, or whenever it is asked. */
async function setupAnswer(gives: 'again' | 'once', cutBefore = '') {
  const site = await startSite();
  const asked: (string | null)[] = [];
  const ids: string[] = [];
  const getToken: GetToken = async (current) => {
    asked.push(current);
    if (asked.length > 1 && gives === 'once') return null;
    const { id, token } = await site.platform.embedTokens.issue({
      agent: 'test',
      external_user_id: 'ada',
    });
    ids.push(id);
    return token;
  };
  const tab = site.openTab({
    getToken,
    ports: { fetch: cutting(cutBefore, (request) => tab.sent.push(request)) },
  });
  const conversation = tab.client.conversation();
  const connections: string[] = [];
  conversation.subscribe(() => connections.push(conversation.state.connection));
  await conversation.send('think');
  await answering(conversation);
  // Tokens are not asked for twice within five seconds.
  tab.skip(10_000);
  connections.length = 0;
  return { ...site, ...tab, asked, ids, conversation, connections };
}

/** A network that breaks off every stream just before it has carried these words. */
function cutting(words: string, note: (request: Sent) => void): typeof fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('origin', origin);
    note({ method: init?.method ?? 'GET', path: String(url), headers });
    const response = await fetch(url, { ...init, headers });
    const isStream = response.headers.get('content-type')?.includes('event-stream');
    if (!isStream || words === '') return response;
    let carried = '';
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          carried += Buffer.from(chunk).toString('latin1');
          const rest = carried.length - carried.indexOf(words);
          if (rest > carried.length) return controller.enqueue(chunk);
          controller.enqueue(chunk.subarray(0, Math.max(0, chunk.length - rest)));
          controller.error(new TypeError('terminated'));
        },
      }),
    );
    return new Response(body, response);
  };
}

/** What a person sees of the end. */
const endOf = ({ client, conversation }: Awaited<ReturnType<typeof setupAnswer>>) => ({
  auth: { ...client.auth, error: client.auth.error?.code },
  connection: conversation.state.connection,
  error: conversation.state.error?.code,
  kinds: conversation.state.entries.map(({ kind }) => kind),
});

describe('a token that expires in the middle of an answer', () => {
  it('S20: is replaced, and the answer goes on without a visible gap', async () => {
    const answer = await setupAnswer('again');
    const { platform, ids, conversation, connections, asked, logged, client } = answer;
    await platform.embedTokens.expire(ids[0] ?? '');
    await finished(conversation);

    expect(asked).toHaveLength(2);
    expect(new Set(connections)).toEqual(new Set(['open']));
    expect(client.auth.status).toBe('ok');
    const last = conversation.state.entries.at(-1);
    expect(last?.kind === 'agent' && last.text).toMatch(/^The ball costs .* 1\.20\.$/s);
    expect((await logged(conversation.state.session?.id ?? '')).count('agent.message')).toBe(1);
  });
});

describe('a token that is revoked in the middle of an answer', () => {
  it('S22: leads to one question to the host, and is used no more', async () => {
    const answer = await setupAnswer('again');
    const { platform, ids, conversation, asked, client, sent } = answer;
    const before = sent.length;
    await platform.embedTokens.revoke(ids[0] ?? '');
    await finished(conversation);

    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatch(/^et_/);
    const bearers = sent.slice(before).map(({ headers }) => headers.get('authorization'));
    expect(bearers.length).toBeGreaterThan(0);
    expect(bearers).not.toContain(`Bearer ${asked[1]}`);
    expect(client.auth.status).toBe('ok');
    const last = conversation.state.entries.at(-1);
    expect(last?.kind === 'agent' && last.text).toMatch(/^The ball costs .* 1\.20\.$/s);
  });

  it('S22: comes to the same end by the last word of the stream and by a later 401', async () => {
    const told = await setupAnswer('once');
    await told.platform.embedTokens.revoke(told.ids[0] ?? '');
    await until(() => told.client.auth.status === 'revoked');
    await until(() => told.conversation.state.connection === 'closed');
    const after = told.sent.length;

    const cut = await setupAnswer('once');
    cut.proxy.goOffline('reset');
    await cut.platform.embedTokens.revoke(cut.ids[0] ?? '');
    cut.proxy.goOnline();
    await until(() => cut.client.auth.status === 'revoked');
    await until(() => cut.conversation.state.connection === 'closed');

    expect(endOf(cut)).toEqual(endOf(told));
    expect(endOf(told)).toMatchObject({ auth: { status: 'revoked', canReconnect: true } });
    expect(cut.asked).toHaveLength(2);
    expect(told.asked).toHaveLength(2);
    expect(told.sent).toHaveLength(after);
  });

  it('S23: comes to that end too when the last word arrives byte by byte', async () => {
    const split = await setupSplit();
    await split.platform.embedTokens.revoke(split.ids[0] ?? '');
    await until(() => split.client.auth.status === 'revoked');
    await until(() => split.conversation.state.connection === 'closed');

    expect(split.asked).toHaveLength(2);
    expect(split.diagnostics.filter(({ type }) => type === 'invalid_event')).toEqual([]);
  });

  it.each(['session.error', 'embed_token_error', '_REVOKED', 'terminal'])(
    'S23: comes to that end too when the last word is cut before %j',
    async (words) => {
      const split = await setupSplit(words);
      await split.platform.embedTokens.revoke(split.ids[0] ?? '');
      await until(() => split.client.auth.status === 'revoked');
      await until(() => split.conversation.state.connection === 'closed');

      expect(split.asked).toHaveLength(2);
    },
  );
});

/** The same, on an idle stream whose bytes come one at a time. */
async function setupSplit(cutBefore = '') {
  const answer = await setupAnswer('once', cutBefore);
  const { conversation, proxy, sent } = answer;
  await finished(conversation);
  proxy.faults.add({ type: 'split' }, { path: '/events/stream' });
  proxy.cut('reset');
  await until(() => conversation.state.connection !== 'open');
  await until(() => conversation.state.connection === 'open');
  expect(streamsOf(sent).length).toBeGreaterThan(0);
  return answer;
}
