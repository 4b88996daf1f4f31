import { createHash } from 'node:crypto';
import { AnonymousTokenResponse, Consent, ConsentList, EmbedConfig } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../clock.ts';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const text = 'We store your messages for **30 days**. Ok?';
const agent = { appearance: { consent: { text }, features: { forget_me: true } } };
const hashOf = (value: string) => createHash('sha256').update(value).digest('hex');

async function setup() {
  const server = await setupServer({
    agent: { ...agent, embed: { allowed_origins: [testOrigin], allow_visitor_claim: true } },
  });
  const { backend, issue, requestAsPage, requestAsUser, store } = server;
  return {
    ...server,
    /** Shows the text to a user, who agrees. */
    async agree(token: string, language = 'en') {
      const response = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
      const { consent } = EmbedConfig.parse(await response.json());
      return requestAsUser(token, 'POST', '/agent/v1/embed/consents', {
        text_sha256: consent?.text_sha256,
        language,
      });
    },
    async consentsOf(user: string) {
      const response = await backend('GET', `/agent/v1/agents/test/end_users/${user}/consents`);
      return ConsentList.parse(await response.json()).data;
    },
    tokenOf: async (user: string) => (await issue(user)).token,
    async createVisitor() {
      const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
        publishable_key: 'pk_test',
      });
      return AnonymousTokenResponse.parse(await response.json());
    },
    /** Starts a session with a message, and waits for the answer. */
    async write(token: string) {
      const body = { initial_events: [message('Hello')] };
      expect((await requestAsUser(token, 'POST', '/agent/v1/sessions', body)).status).toBe(200);
      await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
    },
  };
}

describe('a consent', () => {
  it('is recorded once for each text, with the text, the language and the time', async () => {
    const { agree, backend, clock, consentsOf, tokenOf } = await setup();
    const token = await tokenOf('ada');
    const first = await agree(token, 'de');
    expect(first.status).toBe(200);
    const given = Consent.parse(await first.json());
    expect(given).toEqual({
      type: 'consent',
      id: expect.stringMatching(/^con_/),
      text_sha256: hashOf(text),
      text,
      language: 'de',
      given_at: '2026-01-15T12:00:00.000Z',
    });
    clock.advance(60_000);
    expect(await (await agree(token)).json()).toEqual(given);

    await backend('POST', '/agent/v1/agents/test', { appearance: { consent: { text: 'New' } } });
    const { given_at } = Consent.parse(await (await agree(token)).json());

    expect(given_at).toBe('2026-01-15T12:01:00.000Z');
    const all = await consentsOf('ada');
    expect(all.map((consent) => [consent.text, consent.language])).toEqual([
      ['New', 'en'],
      [text, 'de'],
    ]);
    expect(await consentsOf('eve')).toEqual([]);
  });

  it('to a text that was replaced after it was shown is recorded, also by another process', async () => {
    const { backend, consentsOf, requestAsUser, store, tokenOf } = await setup();
    const token = await tokenOf('ada');
    await requestAsUser(token, 'GET', '/agent/v1/embed/config');
    await backend('POST', '/agent/v1/agents/test', { appearance: { consent: null } });
    const other = await setupServer({ sharedStore: store, seed: 'other' });

    const body = { text_sha256: hashOf(text), language: 'pt-BR' };
    const response = await other.requestAsUser(token, 'POST', '/agent/v1/embed/consents', body);

    expect(response.status).toBe(200);
    expect(await consentsOf('ada')).toMatchObject([{ text, language: 'pt-BR' }]);
  });

  it.each([
    ['/text_sha256', { text_sha256: hashOf('Never shown') }, 'is not the hash of a text'],
    ['/text_sha256', { text_sha256: 'abc' }, '64 hexadecimal digits'],
    ['/language', { language: '<b>' }, 'BCP 47'],
    ['', { user: 'eve' }, '`user`'],
  ])('with an invalid %s is refused', async (pointer, fields, expected) => {
    const { consentsOf, requestAsUser, tokenOf } = await setup();
    const token = await tokenOf('ada');
    await requestAsUser(token, 'GET', '/agent/v1/embed/config');

    const body = { text_sha256: hashOf(text), language: 'en', ...fields };
    const response = await requestAsUser(token, 'POST', '/agent/v1/embed/consents', body);

    expect(response.status).toBe(400);
    const [error] = (await problemOf(response)).errors ?? [];
    expect(error).toMatchObject({ pointer, message: expect.stringContaining(expected) });
    expect(await consentsOf('ada')).toEqual([]);
  });

  it('is deleted with the data of its user, and of no other', async () => {
    const { agree, backend, consentsOf, requestAsUser, tokenOf } = await setup();
    const token = await tokenOf('ada');
    for (const each of [token, await tokenOf('bob'), await tokenOf('eve')]) await agree(each);

    await requestAsUser(token, 'POST', '/agent/v1/embed/forget_me');
    const erased = await backend('POST', '/agent/v1/agents/test/end_users/bob/erase', {});

    expect(await erased.json()).toMatchObject({ deleted: { consents: 1 } });
    expect(await consentsOf('ada')).toEqual([]);
    expect(await consentsOf('bob')).toEqual([]);
    expect(await consentsOf('eve')).toHaveLength(1);
    expect((await agree(token)).status).toBe(200);
    expect(await consentsOf('ada')).toHaveLength(1);
  });

  it('of a visitor belongs to the user who claims the visitor, unless they have agreed to the text', async () => {
    const { agree, backend, clock, consentsOf, createVisitor, requestAsUser, tokenOf, write } =
      await setup();
    const [first, second] = [await createVisitor(), await createVisitor()];
    await agree(first.token, 'fr');
    clock.advance(1_000);
    await agree(second.token, 'it');
    await backend('POST', '/agent/v1/agents/test', { appearance: { consent: { text: 'New' } } });
    await agree(second.token, 'it');
    const token = await tokenOf('ada');

    for (const { token: visitor, visitor_secret } of [first, second]) {
      await write(visitor);
      const body = { visitor_secret };
      const claim = await requestAsUser(token, 'POST', '/agent/v1/embed/claim', body);
      expect(claim.status).toBe(200);
    }

    const all = await consentsOf('ada');
    expect(all.map((consent) => [consent.text, consent.language])).toEqual([
      ['New', 'it'],
      [text, 'fr'],
    ]);
  });

  it('is deleted `retention.consents_days` after its user has written last, and with no conversation left', async () => {
    const { agree, backend, clock, consentsOf, store, tokenOf, write } = await setup();
    await agree(await tokenOf('silent'));
    const token = await tokenOf('ada');
    await agree(token);
    await write(token);
    clock.advance(400 * dayMs);
    await agree(await tokenOf('late'));
    clock.advance(600 * dayMs);
    await write(await tokenOf('ada'));
    const afterSweep = (user: string) =>
      expect.poll(async () => {
        clock.advance(3_600_000);
        return (await consentsOf(user)).length;
      });

    clock.advance(96 * dayMs);
    await afterSweep('silent').toBe(0);
    expect(await consentsOf('ada')).toHaveLength(1);

    clock.advance(400 * dayMs);
    await afterSweep('late').toBe(0);
    const list = await backend('GET', '/agent/v1/sessions');
    expect(await list.json()).toMatchObject({ data: [] });
    expect(await consentsOf('ada')).toHaveLength(1);

    clock.advance(600 * dayMs);
    await afterSweep('ada').toBe(0);
    // The texts belong to the agent.
    expect(await store.db.selectFrom('consent_texts').select('text').execute()).toEqual([{ text }]);
  });
});
