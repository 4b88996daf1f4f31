/** Platform processes that end during an answer. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '@inlay/client';
import { createPlatformClient } from '@inlay/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../../packages/server/src/lib/testing/services/postgres.ts';
import { freePort } from '../../scripts/free-port.mjs';
import { apiKey, type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { createTab, transcript, until, untilFinished, untilText } from './setup.ts';

const countMessages = ({ entries }: Conversation['state']) =>
  entries.filter(({ kind }) => kind === 'user').length;

/**
 * Returns functions that start processes and clients with one store. `close` ends them, and then calls
 * `end`, which removes the store.
 */
async function setup(store: string, end: () => Promise<void>) {
  const ended: (() => Promise<void>)[] = [end];
  const close = async () => {
    for (const end of ended.reverse()) await end();
  };
  const start = async (port?: number) => {
    const process = await startPlatformProcess(store, port ?? (await freePort()));
    ended.push(() => process.end('SIGKILL'));
    return process;
  };
  const backend = (baseUrl: string) => createPlatformClient({ baseUrl, apiKey });
  const openTab = (baseUrl: string, issuer: string) => {
    const tab = createTab({ baseUrl }, async () => {
      const grant = { agent: 'test', external_user_id: 'ada' };
      return (await backend(issuer).embedTokens.issue(grant)).token;
    });
    ended.push(async () => tab.client.close());
    return tab;
  };
  return { start, openTab, close };
}

describe('a platform that is stopped during an answer', () => {
  let site: Awaited<ReturnType<typeof setup>>;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inlay-faults-'));
    site = await setup(folder, () => rm(folder, { recursive: true, force: true }));
  });
  afterAll(() => site.close());

  it('S07: finishes the answer, closes its streams, and accepts them again after the next start', async () => {
    const { start, openTab } = site;
    const first = await start();
    const { client, diagnostics } = openTab(first.url, first.url);
    const conversation = client.conversation();
    await conversation.send('think');
    await untilText(conversation);

    await first.end('SIGTERM');
    await untilFinished(conversation);
    await until(() => conversation.state.connection === 'reconnecting');
    await start(first.port);
    await until(() => conversation.state.connection === 'open');

    expect(conversation.state.entries.at(-1)).toMatchObject({ kind: 'agent', progress: 'done' });
    expect(conversation.state.running).toBe(false);
    expect(countMessages(conversation.state)).toBe(1);
    expect(diagnostics.some(({ type }) => type === 'stream_retry')).toBe(true);
  });
});

describe('two platform processes with one store, one of which is killed', () => {
  let site: Awaited<ReturnType<typeof setup>>;
  let first: PlatformProcess;
  let second: PlatformProcess;
  beforeAll(async () => {
    const postgres = await startPostgres();
    site = await setup(postgres.url, () => postgres.stop());
    first = await site.start();
    second = await site.start();
  });
  afterAll(() => site.close());

  it('S08: send the complete answer of the killed process to every tab', async () => {
    const { openTab } = site;
    const sender = openTab(first.url, second.url).client.conversation();
    await sender.send('hello');
    await untilFinished(sender);
    const id = sender.state.session?.id ?? '';
    const tabs = [openTab(second.url, second.url), openTab(second.url, second.url)].map((tab) =>
      tab.client.conversation(id),
    );
    await until(() => tabs.every(({ state }) => state.connection === 'open'));
    await sender.send('think');
    await untilText(sender);
    expect(sender.state.running).toBe(true);
    const killed = performance.now();
    await first.end('SIGKILL');
    await until(() => tabs.every(({ state }) => countMessages(state) === 2));
    await Promise.all(tabs.map(untilFinished));

    expect(performance.now() - killed).toBeLessThan(25_000);
    for (const tab of tabs) {
      expect(transcript(tab)).toEqual(transcript(tabs[0] ?? tab));
      expect(tab.state.entries.at(-1)).toMatchObject({ kind: 'agent', progress: 'done' });
    }
  });
});
