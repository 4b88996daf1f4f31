import { describe, expect, it } from 'vitest';
import { insertSessionTexts } from '../testing/insert-session-texts.ts';
import { listen } from '../testing/listen.ts';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const minimum = 1_048_576;

/** Sets up a server with a conversation of about 400 kB of each user. */
async function setup() {
  const server = await setupServer({
    config: { limits: { user: { read_bytes_per_minute: minimum } } },
  });
  const create = async (token: string) => {
    const created = await server.requestAsUser(token, 'POST', '/agent/v1/sessions', {});
    const { id } = (await created.json()) as { id: string };
    const texts = Array.from({ length: 8 }, (_, index) => ({
      seq: index + 1,
      text: 'x'.repeat(50_000),
    }));
    const rows = texts.map(({ seq, text }) => {
      const event = {
        type: 'user.message',
        id: `evt_${seq}`,
        seq,
        content: [{ type: 'text', text }],
      };
      const json = JSON.stringify(event);
      return { session_id: id, seq, id: event.id, type: event.type, json, processed_at: 0 };
    });
    const log_bytes = rows.reduce((sum, { json }) => sum + json.length, 0);
    await server.store.db.insertInto('events').values(rows).execute();
    await insertSessionTexts(server.store, id, texts);
    await server.store.db.updateTable('sessions').set({ log_bytes }).where('id', '=', id).execute();
    return id;
  };
  const { token } = await server.issue();
  return { ...server, token, create, id: await create(token) };
}

describe('what a user reads from conversations', () => {
  it.each([
    ['exports', (id: string) => `/${id}/export?format=json`, {}],
    ['pages of events', (id: string) => `/${id}/events`, {}],
    ['searches', () => '?query=x', {}],
    ['streams', (id: string) => `/${id}/events/stream`, { 'last-event-id': '0' }],
  ])(
    'is limited by its bytes for %s, with the time after which to retry',
    async (_, path, headers) => {
      const { requestAsUser, token, id, clock, issue, create } = await setup();
      const read = (userToken: string, ofSession: string) =>
        requestAsUser(userToken, 'GET', `/agent/v1/sessions${path(ofSession)}`, undefined, headers);
      const fill = async () => {
        for (let index = 0; index < 2; index += 1) {
          await (
            await requestAsUser(token, 'GET', `/agent/v1/sessions/${id}/export?format=json`)
          ).text();
        }
      };

      await fill();
      const refused = await read(token, id);
      clock.advance(61_000);
      const small = await requestAsUser(token, 'GET', `/agent/v1/sessions/${id}/events?limit=1`);

      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await problemOf(refused)).toMatchObject({
        code: 'RATE_LIMITED',
        detail: expect.stringContaining('bytes of conversations per minute'),
      });
      expect(small.status).toBe(200);
      const other = (await issue('eve')).token;
      await fill();
      expect((await requestAsUser(other, 'GET', '/agent/v1/sessions?query=nothing')).status).toBe(
        200,
      );
      expect(await create(other)).toBeTruthy();
    },
  );

  it('is limited for all visitors of one address together', async () => {
    const { requestAsPage, requestAsUser, create } = await setup();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      const key = { publishable_key: 'pk_test' };
      const issued = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', key);
      const { token } = (await issued.json()) as { token: string };
      const id = await create(token);
      for (let n = 0; n < 2; n += 1) {
        const path = `/agent/v1/sessions/${id}/export?format=json`;
        const response = await requestAsUser(token, 'GET', path);
        await response.text();
        statuses.push(response.status);
      }
    }

    // Four times the limit of one user, of which each visitor could use all.
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.at(-1)).toBe(429);
  });
});

it('a user has one export at a time', async () => {
  const { app, requestAsUser, token, id, clock } = await setup();
  const http = await listen(app);
  const path = `/agent/v1/sessions/${id}/export`;
  // Not read yet: the export continues when it is.
  const first = await requestAsUser(token, 'GET', path);

  const second = await requestAsUser(token, 'GET', path);
  await first.text();
  clock.advance(61_000);
  const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
  const third = await fetch(`${http.url}${path}?format=json`, { headers });
  const { events } = (await third.json()) as { events: unknown[] };
  const fourth = await fetch(`${http.url}${path}?format=json`, { headers });

  expect([first, second, third, fourth].map(({ status }) => status)).toEqual([200, 429, 200, 200]);
  expect(events).toHaveLength(8);
  expect(second.headers.get('retry-after')).toBe('1');
  expect(await problemOf(second)).toMatchObject({
    code: 'RATE_LIMITED',
    detail: expect.stringContaining('one at a time'),
  });
});
