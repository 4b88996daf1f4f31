import type { AuditEventPage } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { apiKeyId } from '../auth/api-keys.ts';
import { dayMs } from '../clock.ts';
import { runKeysCommand } from '../commands/keys-command.ts';
import { hashSecret, systemRandom } from '../random.ts';
import { setupServer, testApiKey, testOrigin } from '../testing/setup-server.ts';

const environmentKey = `key:${apiKeyId(hashSecret(testApiKey))}`;

async function setup() {
  const server = await setupServer();
  const { backend, store, clock } = server;
  const keys = { store, clock, random: systemRandom };
  return {
    ...server,
    post: async (path: string, body?: object) => {
      clock.advance(1);
      const response = await backend('POST', `/agent/v1${path}`, body);
      expect([path, response.status]).toEqual([path, 200]);
      return (await response.json()) as Record<string, string>;
    },
    keys(...args: string[]) {
      clock.advance(1);
      return runKeysCommand(args, keys);
    },
    list: async (query = '') => {
      const response = await backend('GET', `/agent/v1/audit_events?${query}`);
      expect([query, response.status]).toEqual([query, 200]);
      return (await response.json()) as z.infer<typeof AuditEventPage>;
    },
  };
}

describe('the audit record', () => {
  it('has the settings that an API key changed, before and after, without ids of users', async () => {
    const { post, list } = await setup();
    const { id } = await post('/agents', {
      short_id: 'helper',
      name: 'Helper',
      model: { provider: 'scripted' },
      embed: { allowed_origins: [testOrigin], blocked_end_users: ['user-eve'] },
    });

    await post('/agents/helper', {
      name: 'Assistant',
      embed: { max_ttl_seconds: 1800, blocked_end_users: ['user-eve', 'user-mallory'] },
    });

    const { data } = await list();
    expect(data).toMatchObject([
      {
        type: 'audit_event',
        id: expect.stringMatching(/^aud_/),
        at: '2026-01-15T12:00:00.002Z',
        actor: environmentKey,
        action: 'POST /agent/v1/agents/:id',
        subject: `agents/${id}`,
        before: { name: 'Helper', embed: { max_ttl_seconds: 3600 }, blocked_end_user_count: 1 },
        after: { name: 'Assistant', embed: { max_ttl_seconds: 1800 }, blocked_end_user_count: 2 },
        request_id: expect.stringMatching(/^req_/),
        source: 'unknown',
      },
      { action: 'POST /agent/v1/agents', subject: `agents/${id}`, before: null },
    ]);
    expect(Object.keys(data[0]?.after ?? {}).sort()).toEqual([
      'blocked_end_user_count',
      'embed',
      'name',
    ]);
    expect(JSON.stringify(data)).not.toMatch(/user-/);
  });

  it('names the API key of a request, and has the commands that change keys', async () => {
    const { app, clock, keys, list } = await setup();
    const key = (await keys('create', 'billing')).split(' ').at(-1) ?? '';
    const id = apiKeyId(hashSecret(key));
    clock.advance(1);
    await app.request('/agent/v1/agents/test/archive', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    await keys('limit', id, '--concurrent', '5');
    await keys('rotate', id, '--overlap', '60');
    await keys('revoke', id);

    const { data } = await list();

    expect(
      data.map(({ actor, action, subject, after }) => [actor, action, subject, after]),
    ).toEqual([
      ['cli', 'keys revoke', `api_keys/${id}`, null],
      ['cli', 'keys rotate', `api_keys/${id}`, { overlap_seconds: 60 }],
      ['cli', 'keys limit', `api_keys/${id}`, { concurrent: 5 }],
      [
        'key:billing',
        'POST /agent/v1/agents/:id/archive',
        expect.stringMatching(/^agents\/agt_/),
        null,
      ],
      ['cli', 'keys create', `api_keys/${id}`, { id, name: 'billing' }],
    ]);
  });

  it('has the objects of the chat-model prefix, but not the calls of its models', async () => {
    const { app, backend, list } = await setup();
    const prefix = '/chat-model/v1';
    const created = await backend('POST', `${prefix}/vector_stores`, { name: 'Manuals' });
    const { id: store } = (await created.json()) as { id: string };
    await backend('POST', `${prefix}/conversations`, {});
    const form = new FormData();
    form.append('purpose', 'user_data');
    form.append('file', new File(['text'], 'a.txt'));
    const headers = { authorization: `Bearer ${testApiKey}` };
    const request = { method: 'POST', body: form, headers };
    const uploaded = await app.request(`${prefix}/files`, request);
    const { id: file } = (await uploaded.json()) as { id: string };
    expect((await backend('DELETE', `${prefix}/files/${file}`)).status).toBe(200);

    const { data } = await list();

    const entries = data.map(({ action, subject }) => `${action} ${subject}`);
    expect(entries.sort()).toEqual([
      `DELETE ${prefix}/files/:file_id files/${file}`,
      `POST ${prefix}/files files/${file}`,
      `POST ${prefix}/vector_stores vector_stores/${store}`,
    ]);
  });

  it('has no operation that was refused', async () => {
    const { app, backend, keys, list } = await setup();
    // The file is stored as it arrives, and deleted when its form is refused.
    const form = new FormData();
    form.append('file', new File(['text'], 'a.txt'));
    form.append('purpose', 'unknown');
    const headers = { authorization: `Bearer ${testApiKey}` };
    const request = { method: 'POST', body: form, headers };

    expect((await app.request('/chat-model/v1/files', request)).status).toBe(400);
    await backend('POST', '/agent/v1/agents/test', { name: 1 });
    await backend('POST', '/agent/v1/agents/unknown/archive');
    await expect(keys('revoke', 'key_unknown')).rejects.toThrow('There is no API key');

    expect((await list()).data).toEqual([]);
  });

  it('is filtered, and has pages', async () => {
    const { post, list, clock } = await setup();
    await post('/agents/test', { name: 'One' });
    clock.advance(1000);
    await post('/agents/test', { name: 'Two' });
    clock.advance(1000);
    await post('/agents/test/end_users/ada/block');
    const [block, two, one] = (await list()).data;
    const at = encodeURIComponent(two?.at ?? '');

    const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await idsOf(`subject=${two?.subject}`)).toEqual([two?.id, one?.id]);
    expect(await idsOf(`subject=${block?.subject}&actor=${environmentKey}`)).toEqual([block?.id]);
    expect(await idsOf('actor=cli')).toEqual([]);
    expect(await idsOf(`action=${encodeURIComponent(block?.action ?? '')}`)).toEqual([block?.id]);
    expect(await idsOf(`after=${at}`)).toEqual([block?.id]);
    expect(await idsOf(`before=${at}`)).toEqual([one?.id]);
    const first = await list('limit=2');
    expect(first.data.map(({ id }) => id)).toEqual([block?.id, two?.id]);
    expect(first.next_cursor).toBe(first.next_page);
    expect(await idsOf(`limit=2&page=${first.next_page}`)).toEqual([one?.id]);
  });

  it('refuses an unknown filter, and is not found with an embed token', async () => {
    const { backend, issue, requestAsUser } = await setup();
    const { token } = await issue();

    const unknown = await backend('GET', '/agent/v1/audit_events?actors=cli');

    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', errors: [{ pointer: '/query/actors' }] },
    ]);
    expect((await requestAsUser(token, 'GET', '/agent/v1/audit_events')).status).toBe(404);
  });

  it('names an erased user by a pseudonym', async () => {
    const { post, list } = await setup();
    await post('/agents/test/end_users/ada/block');

    await post('/agents/test/end_users/ada/erase', {});

    const { data } = await list();
    expect(data.map(({ action }) => action.split('/').at(-1))).toEqual(['erase', 'block']);
    const [subject] = data.map((event) => event.subject);
    expect(subject).toMatch(/^agents\/agt_[\w-]+\/end_users\/erased:[\w-]{43}$/);
    expect(data.map((event) => event.subject)).toEqual([subject, subject]);
  });

  it('is kept for `retention.audit_days`', async () => {
    const { post, clock, store } = await setup();
    await post('/agents/test', { name: 'One' });
    const count = async () =>
      (await store.db.selectFrom('audit_events').select('id').execute()).length;
    clock.advance(399 * dayMs);
    await post('/agents/test', { name: 'Two' });

    clock.advance(dayMs);
    const afterSweep = () => {
      clock.advance(3_600_000);
      return count();
    };
    await expect.poll(afterSweep).toBe(1);
  });
});
