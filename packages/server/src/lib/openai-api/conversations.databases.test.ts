import { describe, expect, it } from 'vitest';
import { revokeApiKey, rotateApiKey } from '../auth/api-keys.ts';
import { hashSecret, systemRandom } from '../random.ts';
import { expectError, setupChatModel } from '../testing/setup-chat-model.ts';

const userMessage = (content: string) => ({ role: 'user', content });
const day = 86_400_000;

async function setup(options?: Parameters<typeof setupChatModel>[1]) {
  const server = await setupChatModel(undefined, options);
  const { body: conversation } = await server.call('POST', '/conversations', {
    items: ['a', 'b', 'c'].map(userMessage),
    metadata: { topic: 'letters' },
  });
  const path = `/conversations/${conversation.id}`;
  const texts = async (query = '') => {
    const { body } = await server.call('GET', `${path}/items${query}`);
    return body.data.map(({ content }: { content: [{ text: string }] }) => content[0].text);
  };
  return { ...server, conversation, path, texts };
}

describe('a conversation of the chat-model family', () => {
  it('4.13.6: is created with items and metadata, and can be read', async () => {
    const { call, clock, conversation, path } = await setup();

    expect(conversation).toEqual({
      id: expect.stringMatching(/^conv_[\w-]{22}$/),
      object: 'conversation',
      created_at: Math.floor(clock.now() / 1000),
      metadata: { topic: 'letters' },
    });
    expect((await call('GET', path)).body).toEqual(conversation);
    expect((await call('POST', '/conversations', {})).body).toMatchObject({ metadata: {} });
  });

  it('4.13.6: has only the new metadata after a change of its metadata', async () => {
    const { call, conversation, path } = await setup();

    const { body } = await call('POST', path, { metadata: { mood: 'good' } });

    expect(body).toEqual({ ...conversation, metadata: { mood: 'good' } });
    expect((await call('GET', path)).body).toEqual(body);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'accepts items of the unknown type `%s`, which objects inherit as a member',
    async (type) => {
      const { call, path } = await setup();

      const { status, body } = await call('POST', `${path}/items`, { items: [{ type }] });

      expect(status).toBe(200);
      expect(body.data).toMatchObject([{ type, id: expect.stringMatching(/^item_/) }]);
    },
  );

  it('4.13.6: accepts at most 20 items in one request', async () => {
    const { call, path, texts } = await setup();
    const items = Array.from({ length: 21 }, (_, index) => userMessage(String(index)));
    const refusal = {
      status: 400,
      code: 'validation_error',
      param: 'items',
      message: '20 items',
    };

    expectError(await call('POST', '/conversations', { items }), refusal);
    expectError(await call('POST', `${path}/items`, { items }), refusal);
    expect(await texts()).toEqual(['a', 'b', 'c']);
    expect((await call('POST', `${path}/items`, { items: items.slice(1) })).status).toBe(200);
  });

  it('4.13.6: returns appended items with ids that the server generates', async () => {
    const { call, path, texts } = await setup();

    const { body } = await call('POST', `${path}/items`, {
      items: [
        { type: 'message', role: 'assistant', content: 'd', id: 'mine' },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'done' },
        { type: 'reasoning', summary: [] },
      ],
    });

    const [reply, ...others] = body.data;
    expect(reply).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'd', annotations: [] }],
    });
    expect(others.map(({ id }: { id: string }) => id.split('_')[0])).toEqual(['fc', 'fco', 'rs']);
    expect(body).toMatchObject({
      object: 'list',
      first_id: reply.id,
      last_id: others[2].id,
      has_more: false,
    });
    expect(await texts('?limit=4')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('4.13.6: lists its items in the order of their creation, in pages', async () => {
    const { call, path, texts } = await setup();

    const { body: first } = await call('GET', `${path}/items?limit=2`);

    expect(first).toMatchObject({ has_more: true, last_id: first.data[1].id });
    expect(await texts(`?limit=2&after=${first.last_id}`)).toEqual(['c']);
    expect(await texts('?order=desc')).toEqual(['c', 'b', 'a']);
    expect(await texts(`?order=desc&after=${first.last_id}`)).toEqual(['a']);
    expectError(await call('GET', `${path}/items?after=msg_none`), {
      status: 400,
      param: 'after',
    });
    expectError(await call('GET', `${path}/items?limit=101`), { status: 400, param: 'limit' });
  });

  it('4.13.6: is returned in response to the deletion of one of its items', async () => {
    const { call, conversation, path, texts } = await setup();
    const { body: list } = await call('GET', `${path}/items`);
    const item = `${path}/items/${list.data[1].id}`;

    expect((await call('GET', item)).body).toEqual(list.data[1]);
    expect((await call('DELETE', item)).body).toEqual(conversation);

    expectError(await call('GET', item), { status: 404, code: 'item_not_found' });
    expectError(await call('DELETE', item), { status: 404, code: 'item_not_found' });
    expect(await texts()).toEqual(['a', 'c']);
  });

  it('4.13.6: is deleted together with its items', async () => {
    const { call, conversation, path, store } = await setup();

    expect((await call('DELETE', path)).body).toEqual({
      id: conversation.id,
      object: 'conversation.deleted',
      deleted: true,
    });

    const refusal = { status: 404, code: 'conversation_not_found' };
    expectError(await call('GET', path), refusal);
    expectError(await call('POST', path, { metadata: {} }), refusal);
    expectError(await call('DELETE', path), refusal);
    expectError(await call('GET', `${path}/items`), refusal);
    expectError(await call('POST', `${path}/items`, { items: [userMessage('x')] }), refusal);
    expect(await store.db.selectFrom('chat_model_items').selectAll().execute()).toEqual([]);
  });

  it('4.13.6: belongs to the tenant: another API key reads, continues and deletes it', async () => {
    const { call, conversation, path, otherKey } = await setup();
    const { headers } = await otherKey();

    expect((await call('GET', path, undefined, headers)).body).toEqual(conversation);
    const changed = await call('POST', path, { metadata: { topic: 'x' } }, headers);
    const added = await call('POST', `${path}/items`, { items: [userMessage('x')] }, headers);
    const { body: items } = await call('GET', `${path}/items`, undefined, headers);

    expect(changed.body.metadata).toEqual({ topic: 'x' });
    expect(items.data.at(-1)).toEqual(added.body.data[0]);
    expect((await call('DELETE', path, undefined, headers)).body).toMatchObject({ deleted: true });
    expectError(await call('GET', path), { status: 404, code: 'conversation_not_found' });
  });

  it.each(['rotated', 'revoked'])(
    'is still found after the API key that created it was %s',
    async (end) => {
      const { call, clock, otherKey, store } = await setup();
      const { key, headers } = await otherKey();
      const { body } = await call('POST', '/conversations', {}, headers);
      const services = { store, clock, random: systemRandom };
      const id = `key_${hashSecret(key).slice(0, 12)}`;
      let next = {};
      if (end === 'revoked') await revokeApiKey(services, id);
      else next = { authorization: `Bearer ${await rotateApiKey(services, id, 0)}` };

      const read = await call('GET', `/conversations/${body.id}`, undefined, next);

      expect(read.body).toEqual(body);
      expect((await call('GET', `/conversations/${body.id}`, undefined, headers)).status).toBe(401);
    },
  );

  it.each([
    [{ items: [{ role: 'robot', content: 'x' }] }, 'items[0].role'],
    [{ items: [{ role: 'user' }] }, 'items[0].content'],
    [{ items: [userMessage('x'), { type: 'function_call', call_id: 'c' }] }, 'items[1].name'],
    [{ items: [{ type: 'item_reference', id: 'msg_x' }] }, 'items[0].type'],
    [{ items: 'x' }, 'items'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ metadata: { a: 'x'.repeat(513) } }, 'metadata'],
  ])(
    'is refused with an error that contains the name of the invalid field: $1',
    async (body, param) => {
      const { call } = await setup();

      expectError(await call('POST', '/conversations', body), {
        status: 400,
        code: 'validation_error',
        param,
      });
    },
  );

  it('is deleted `retention.conversations_days` after its last item was added', async () => {
    const { call, clock, path, store } = await setup({
      config: { retention: { conversations_days: 2 } },
    });
    clock.advance(1.5 * day);
    await call('POST', `${path}/items`, { items: [userMessage('d')] });
    clock.advance(1.5 * day);
    expect((await call('GET', path)).status).toBe(200);

    const count = async () => {
      clock.advance(day);
      return (await store.db.selectFrom('chat_model_items').selectAll().execute()).length;
    };

    await expect.poll(count).toBe(0);
    expectError(await call('GET', path), { status: 404, code: 'conversation_not_found' });
  });
});
