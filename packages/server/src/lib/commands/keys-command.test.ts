import { describe, expect, it } from 'vitest';
import { systemRandom } from '../random.ts';
import { setupServer } from '../testing/setup-server.ts';
import { runKeysCommand } from './keys-command.ts';

async function setup() {
  const server = await setupServer();
  const { app, clock, store } = server;
  const run = (...args: string[]) => runKeysCommand(args, { store, clock, random: systemRandom });
  return {
    ...server,
    run,
    createKey: async (...args: string[]) => (await run(...args)).split(': ')[1] ?? '',
    idOf: async (name: string) =>
      (await run('list'))
        .split('\n')
        .find((line) => line.includes(`  ${name}  `))
        ?.split(' ')[0] ?? '',
    async isAccepted(key: string) {
      const headers = { authorization: `Bearer ${key}` };
      return (await app.request('/agent/v1/embed_tokens', { headers })).status === 200;
    },
  };
}

describe('§5: inlay-server keys', () => {
  it('§5: creates a key that the API accepts, and stores only its hash', async () => {
    const { createKey, isAccepted, run, store } = await setup();

    const key = await createKey('create', 'billing');

    expect(key).toMatch(/^sk-service-[\w-]{43}$/);
    expect(await isAccepted(key)).toBe(true);
    expect(await run('list')).toMatch(
      /^key_[\w-]{12} {2}billing {2}created 2026-01-15T12:00:00\.000Z {2}active {2}used 2026-01-15T12:00:00\.000Z$/,
    );
    const rows = await store.db.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(11, 30));
  });

  it('§5: revokes a key immediately, without affecting other keys', async () => {
    const { idOf, createKey, isAccepted, run } = await setup();
    const [revokedKey, otherKey] = [
      await createKey('create', 'gone'),
      await createKey('create', 'kept'),
    ];

    await run('revoke', await idOf('gone'));

    expect(await isAccepted(revokedKey)).toBe(false);
    expect(await isAccepted(otherKey)).toBe(true);
    await expect(idOf('gone').then((id) => run('revoke', id))).rejects.toThrow('ended already');
  });

  it('§5: rotates a key with an overlap that a second rotation does not extend', async () => {
    const { clock, idOf, createKey, isAccepted, run } = await setup();
    const old = await createKey('create', 'shop');
    const id = await idOf('shop');

    const next = await createKey('rotate', id, '--overlap', '60');
    await run('rotate', id);
    clock.advance(59_999);
    const during = [await isAccepted(old), await isAccepted(next)];
    clock.advance(1);

    expect(during).toEqual([true, true]);
    expect([await isAccepted(old), await isAccepted(next)]).toEqual([false, true]);
    expect((await run('list')).split('\n')).toHaveLength(3);
  });

  it('§8.2.1: sets the limits of one key and of the key that replaces it', async () => {
    const { app, createKey, idOf, run } = await setup();
    const limitOf = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await app.request('/agent/v1/embed_tokens', { headers });
      return response.headers.get('x-ratelimit-limit-requests');
    };
    const [key, other] = [await createKey('create', 'shop'), await createKey('create', 'other')];
    const configured = await limitOf(key);

    await run('limit', await idOf('shop'), '--requests-per-second', '7', '--concurrent', '3');

    expect(await limitOf(key)).toBe('7');
    expect(await limitOf(other)).toBe(configured);
    expect(await run('list')).toMatch(/active {2}used \S+ {2}7 per second {2}3 concurrent/);
    const next = await createKey('rotate', await idOf('shop'));
    expect(await limitOf(next)).toBe('7');
    await run('limit', await idOf('shop'));
    expect(await limitOf(key)).toBe(configured);
  });

  it.each([
    [[], 'Usage'],
    [['limit'], 'Usage'],
    [['limit', 'key_x', '--concurrent', '0'], '--concurrent must be a number from 1'],
    [['limit', 'key_x'], 'There is no API key key_x'],
    [['list', '--concurrent', '1'], 'Usage'],
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
  ])('rejects the arguments %j with an explanation', async (args, expectedText) => {
    const { run } = await setup();

    await expect(run(...args)).rejects.toThrow(expectedText);
  });
});
