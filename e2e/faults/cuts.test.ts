/** Connections that end in the middle: what was said is whole afterwards, and nothing stands twice. */
import type { Conversation } from '@inlay/client';
import { FakeClock } from '@inlay/client/testing';
import { describe, expect, it } from 'vitest';
import { answering, finished, startSite, streamsOf, transcript, until } from './setup.ts';

/** What a client shows that was never cut: one that reads the finished log. */
async function uncut(
  { openTab, server }: Awaited<ReturnType<typeof startSite>>,
  { state }: Conversation,
) {
  const { client } = openTab({ baseUrl: server.baseUrl });
  const conversation = client.conversation(state.session?.id ?? '');
  await until(() => conversation.state.lastSeq === state.lastSeq && !conversation.state.loading);
  return transcript(conversation);
}

describe('a connection that dies without a word', () => {
  it('S01: is noticed after 45 seconds of silence, and the transcript is whole', async () => {
    const site = await startSite();
    const clock = new FakeClock();
    const { client, sent } = site.openTab({ ports: { clock } });
    const conversation = client.conversation();
    await conversation.send('think');
    await answering(conversation);

    expect(site.proxy.cut('half-open')).toBeGreaterThan(0);
    await clock.advance(44_000);
    expect(streamsOf(sent)).toHaveLength(0);
    await clock.advance(2_000);
    await finished(conversation);

    expect(streamsOf(sent)).toHaveLength(1);
    expect(transcript(conversation)).toEqual(await uncut(site, conversation));
  });

  it('S01: is left at once when the browser goes offline', async () => {
    const site = await startSite();
    const { client, page } = site.openTab();
    const conversation = client.conversation();
    await conversation.send('think');
    await answering(conversation);

    site.proxy.cut('half-open', ({ requests }) => requests.length > 0);
    // A browser drops its idle connections itself when the network goes; Node keeps them.
    site.proxy.goOffline('reset');
    page.goOffline();
    await until(() => conversation.state.connection === 'offline');
    site.proxy.goOnline();
    page.goOnline();
    await finished(conversation);

    expect(transcript(conversation)).toEqual(await uncut(site, conversation));
  });
});

describe('a connection that is cut again and again', () => {
  it('S03: loses nothing and doubles nothing, wherever the cuts come', async () => {
    const site = await startSite();
    const { client, sent } = site.openTab();
    const conversation = client.conversation();
    // Each answer gets a little further than the one before, from the middle of the greeting on.
    for (let nth = 1; nth <= 24; nth += 1) {
      const cut = { type: 'cut', how: 'reset', from: 'body', after: 1_900 + nth * 137 } as const;
      site.proxy.faults.add(cut, { path: /\/sessions\?|\/events\/stream/, nth });
    }
    await conversation.send('think');
    await finished(conversation);

    expect(streamsOf(sent).length).toBeGreaterThan(5);
    expect(transcript(conversation)).toEqual(await uncut(site, conversation));
  });

  it('S03: drops what comes twice, because it was applied and not yet noted', async () => {
    const site = await startSite();
    const first = site.openTab();
    const told = first.client.conversation();
    await told.send('hello');
    await finished(told);
    // The position is forgotten on the way: the server sends everything again.
    const { client, sent } = site.openTab({
      ports: {
        fetch: (url, init) => {
          const headers = new Headers(init?.headers);
          if (headers.has('last-event-id')) headers.set('last-event-id', '0');
          headers.set('origin', 'https://app.example.com');
          sent.push({ method: init?.method ?? 'GET', path: String(url), headers });
          return fetch(url, { ...init, headers });
        },
      },
    });
    const conversation = client.conversation(told.state.session?.id ?? '');
    await until(() => streamsOf(sent).length === 1);
    await conversation.send('table');
    await finished(conversation);

    expect(transcript(conversation)).toEqual(await uncut(site, conversation));
    expect(conversation.state.entries.filter(({ kind }) => kind === 'user')).toHaveLength(2);
  });

  it('S10: has what was said between the reading of the log and the opening of the stream', async () => {
    const site = await startSite();
    const first = site.openTab();
    const told = first.client.conversation();
    await told.send('hello');
    await finished(told);
    let meanwhile = false;
    const second = site.openTab({
      ports: {
        fetch: async (url, init) => {
          if (String(url).includes('/events/stream') && !meanwhile) {
            meanwhile = true;
            await told.send('table');
            await finished(told);
          }
          const headers = new Headers(init?.headers);
          headers.set('origin', 'https://app.example.com');
          return fetch(url, { ...init, headers });
        },
      },
    });
    const conversation = second.client.conversation(told.state.session?.id ?? '');
    await until(() => meanwhile && told.state.entries.length === 4);
    await finished(told);
    await until(() => conversation.state.lastSeq === told.state.lastSeq);

    expect(transcript(conversation)).toEqual(transcript(told));
  });
});
