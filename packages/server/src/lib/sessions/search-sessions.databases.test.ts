import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { insertSessionTexts } from '../testing/insert-session-texts.ts';
import { setupConversation } from '../testing/setup-conversation.ts';

type Server = Awaited<ReturnType<typeof setupConversation>>;
interface Page {
  data: { id: string }[];
  next_page: string | null;
}

async function setup(searchBytes?: number) {
  const limits = searchBytes === undefined ? {} : { request: { search_bytes: searchBytes } };
  return setupConversation({
    config: { limits },
    agent: {
      model: { provider: 'scripted', first_delay_ms: 0, delay_ms: 0, script: [{ say: 'Yes.' }] },
    },
  });
}

const searchPage = async ({ call }: Server, query: string, page: string | null) =>
  (await (
    await call('GET', `/sessions?query=${query}&limit=2${page === null ? '' : `&page=${page}`}`)
  ).json()) as Page;

describe('a search', () => {
  it.each([
    ['the start of a word', 'Der Aufzug ist kaputt', 'aufz'],
    ['several words', 'Der Aufzug ist kaputt', 'AUFZUG ist kap'],
    ['a sign after a word', 'Written in C++ only', 'c++'],
    ['Chinese without spaces', '我想退款这张发票', '退款'],
    ['one Chinese character', '我想退款这张发票', '票'],
    ['Japanese in two scripts', '東京タワーの入場料', 'タワーの入'],
    ['Thai without spaces', 'ขอคืนเงินค่าตั๋ว', 'คืนเงิน'],
    ['Korean', '환불을 요청합니다', '환불'],
    ['a letter and its accent in two code points', 'Cafe\u0301 au lait', 'CAFÉ'],
  ])('finds %s', async (_, text, query) => {
    const { create, call } = await setup();
    const id = await create(text);
    await create('Something else');

    const response = await call('GET', `/sessions?query=${encodeURIComponent(query)}`);

    expect(((await response.json()) as Page).data.map((session) => session.id)).toEqual([id]);
  });

  it('returns each match exactly once over several pages', async () => {
    const server = await setup(3_000);
    const texts = ['green', 'blue', 'green', 'green', 'blue', 'blue', 'blue', 'green', 'green'];
    const ids: string[] = [];
    for (const text of texts) ids.push(await server.create(`${text} ${'x'.repeat(700)}`));

    const results: string[] = [];
    const counts: number[] = [];
    for (let page: string | null = null, first = true; first || page !== null; first = false) {
      const answer: Page = await searchPage(server, 'GREEN', page);
      counts.push(answer.data.length);
      for (const { id } of answer.data) results.push(id);
      page = answer.next_page;
    }

    const green = ids.filter((_, index) => texts[index] === 'green');
    expect([...results].sort()).toEqual([...green].sort());
    expect(new Set(results).size).toBe(results.length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    expect(counts.length).toBeGreaterThanOrEqual(3);
  });

  it('does not delay other requests, even if a user starts several searches at the same time', async () => {
    const server = await setup();
    const { create, store, call, app } = server;
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) ids.push(await create('hello'));
    const text = 'a'.repeat(1_000_000);
    for (const id of ids) {
      const rows = [1, 2].map((n) => ({ seq: n * 1000, text }));
      await insertSessionTexts(store, id, rows);
      await store.db
        .updateTable('sessions')
        .set({ log_bytes: 2_000_000 })
        .where('id', '=', id)
        .execute();
    }
    const order: string[] = [];
    const search = async () => {
      const response = await call('GET', `/sessions?query=${'a'.repeat(199)}b`);
      order.push('search');
      return ((await response.json()) as Page).data;
    };

    const searches = [search(), search(), search(), search()];
    for (let index = 0; index < 3; index += 1) {
      await app.request('/meta/v1/health');
      order.push('health');
    }

    expect(await Promise.all(searches)).toEqual([[], [], [], []]);
    expect(order.indexOf('health')).toBeLessThan(order.lastIndexOf('search'));
  });

  it('of one large conversation handles other requests in between, and finds its last message', async () => {
    const { create, store, call } = await setup();
    const id = await create('hello');
    const rows = Array.from({ length: 64 }, (_, index) => ({
      seq: 1000 + index,
      text: `${'a'.repeat(65_000)}${index === 63 ? ' needle' : ''}`,
    }));
    await insertSessionTexts(store, id, rows);
    await store.db
      .updateTable('sessions')
      .set({ log_bytes: 4_200_000 })
      .where('id', '=', id)
      .execute();
    let turns = 0;
    let isSearching = true;

    const found = call('GET', '/sessions?query=needle').then(async (response) => {
      isSearching = false;
      return ((await response.json()) as Page).data;
    });
    for (; isSearching; turns += 1) await setImmediate();

    expect((await found).map((session) => session.id)).toEqual([id]);
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
