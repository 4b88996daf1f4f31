/** After interruptions of the connection, the transcript is complete and has no duplicates. */
import type { Conversation } from '@inlay/client';
import { FakeClock } from '@inlay/client/testing';
import { describe, expect, it } from 'vitest';
import {
  startSite,
  streamRequestsOf,
  transcript,
  until,
  untilFinished,
  untilText,
} from './setup.ts';

/** Returns the transcript of a client that reads the complete log over an uninterrupted connection. */
async function transcriptFromLog(
  { openTab, server }: Awaited<ReturnType<typeof startSite>>,
  { state }: Conversation,
) {
  const { client } = openTab({ baseUrl: server.baseUrl });
  const conversation = client.conversation(state.session?.id ?? '');
  await until(() => conversation.state.lastSeq === state.lastSeq && !conversation.state.loading);
  return transcript(conversation);
}

describe('a half-open connection', () => {
  it('S01: is detected after 45 seconds without data, and the transcript is complete', async () => {
    const site = await startSite();
    const clock = new FakeClock();
    const { client, sent } = site.openTab({ ports: { clock } });
    const conversation = client.conversation();
    await conversation.send('think');
    await untilText(conversation);

    expect(site.proxy.cut('half-open')).toBeGreaterThan(0);
    await clock.advance(44_000);
    expect(streamRequestsOf(sent)).toHaveLength(0);
    await clock.advance(2_000);
    await untilFinished(conversation);

    expect(streamRequestsOf(sent)).toHaveLength(1);
    expect(transcript(conversation)).toEqual(await transcriptFromLog(site, conversation));
  });

  it('S01: is closed at once when the browser goes offline', async () => {
    const site = await startSite();
    const { client, page } = site.openTab();
    const conversation = client.conversation();
    await conversation.send('think');
    await untilText(conversation);

    site.proxy.cut('half-open', ({ requests }) => requests.length > 0);
    // Browsers close idle connections when the network is lost. Node does not, so the proxy closes them.
    site.proxy.goOffline('reset');
    page.goOffline();
    await until(() => conversation.state.connection === 'offline');
    site.proxy.goOnline();
    page.goOnline();
    await untilFinished(conversation);

    expect(transcript(conversation)).toEqual(await transcriptFromLog(site, conversation));
  });
});

describe('a client', () => {
  it('S10: misses no event that was appended between reading the log and opening the stream', async () => {
    const site = await startSite();
    const first = site.openTab();
    const sender = first.client.conversation();
    await sender.send('hello');
    await untilFinished(sender);
    let meanwhile = false;
    const second = site.openTab({
      ports: {
        fetch: async (url, init) => {
          if (String(url).includes('/events/stream') && !meanwhile) {
            meanwhile = true;
            await sender.send('table');
            await untilFinished(sender);
          }
          const headers = new Headers(init?.headers);
          headers.set('origin', 'https://app.example.com');
          return fetch(url, { ...init, headers });
        },
      },
    });
    const conversation = second.client.conversation(sender.state.session?.id ?? '');
    await until(() => meanwhile && sender.state.entries.length === 4);
    await untilFinished(sender);
    await until(() => conversation.state.lastSeq === sender.state.lastSeq);

    expect(transcript(conversation)).toEqual(transcript(sender));
  });
});
