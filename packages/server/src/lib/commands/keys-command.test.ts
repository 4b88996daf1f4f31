import { describe, expect, it, onTestFinished } from 'vitest';
import { systemRandom } from '../random.ts';
import { setupServer } from '../testing/setup-server.ts';
import { runKeysCommand } from './keys-command.ts';

async function setup() {
  const server = await setupServer();
  onTestFinished(() => server.close());
  const { app, clock, store } = server;
  const run = (...args: string[]) => runKeysCommand(args, { store, clock, random: systemRandom });
  return {
    ...server,
    run,
    make: async (...args: string[]) => (await run(...args)).split(': ')[1] ?? '',
    idOf: async (name: string) =>
      (await run('list'))
        .split('\n')
        .find((line) => line.includes(`  ${name}  `))
        ?.split(' ')[0] ?? '',
    async opens(key: string) {
      const headers = { authorization: `Bearer ${key}` };
      return (await app.request('/agent/v1/embed_tokens', { headers })).status === 200;
    },
  };
}

describe('§5: inlay-server keys', () => {
  it('§5: makes a key that opens the backend’s side, and keeps no more than its hash', async () => {
    const { make, opens, run, store } = await setup();

    const key = await make('create', 'billing');

    expect(key).toMatch(/^sk-service-[\w-]{43}$/);
    expect(await opens(key)).toBe(true);
    expect(await run('list')).toMatch(
      /^key_[\w-]{12} {2}billing {2}made 2026-01-15T12:00:00\.000Z {2}active$/,
    );
    const rows = await store.db.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(11, 30));
  });

  it('§5: revokes one at the next request, and no other', async () => {
    const { idOf, make, opens, run } = await setup();
    const [gone, kept] = [await make('create', 'gone'), await make('create', 'kept')];

    await run('revoke', await idOf('gone'));

    expect(await opens(gone)).toBe(false);
    expect(await opens(kept)).toBe(true);
    await expect(idOf('gone').then((id) => run('revoke', id))).rejects.toThrow('ended already');
  });

  it('§5: rotates with an overlap, and an end is never put off', async () => {
    const { clock, idOf, make, opens, run } = await setup();
    const old = await make('create', 'shop');
    const id = await idOf('shop');

    const next = await make('rotate', id, '--overlap', '60');
    await run('rotate', id);
    clock.advance(59_999);
    const during = [await opens(old), await opens(next)];
    clock.advance(1);

    expect(during).toEqual([true, true]);
    expect([await opens(old), await opens(next)]).toEqual([false, true]);
    expect((await run('list')).split('\n')).toHaveLength(3);
  });

  it.each([
    [[], 'Usage'],
    [['drop'], 'Usage'],
    [['list', 'all'], 'Usage'],
    [['revoke'], 'Usage'],
    [['create', '--name'], "Unknown option '--name'"],
    [['create', 'two\nlines'], 'The name must be one line'],
    [['create', 'a', 'b'], 'Usage'],
    [['rotate', 'key_x', '--overlap', 'soon'], '--overlap must be a number of seconds'],
    [['rotate', 'key_x', '--overlap'], "'--overlap <value>' argument missing"],
    [['list', '--overlap', '1'], 'Usage'],
    [['rotate', 'key_x'], 'There is no API key key_x'],
    [['revoke', 'key_x'], 'There is no API key key_x'],
  ])('says how to write %j', async (args, words) => {
    const { run } = await setup();

    await expect(run(...args)).rejects.toThrow(words);
  });
});
