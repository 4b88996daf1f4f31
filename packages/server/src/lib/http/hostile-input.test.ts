import { describe, expect, it } from 'vitest';
import { cpuGrowth } from '../testing/cpu-growth.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

async function setup() {
  const server = await setupServer();
  const { token } = await server.issue();
  const created = await server.requestAsUser(token, 'POST', '/agent/v1/sessions', {});
  const { id } = (await created.json()) as { id: string };
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    server.requestAsUser(token, method, `/agent/v1${path}`, body, headers);
  const upload = (body: FormData | string, headers = {}) =>
    server.app.request('/agent/v1/files', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}`, origin: testOrigin, ...headers },
    });
  return { ...server, call, upload, id };
}

const list = (length: number) => Array.from({ length }, () => ({}));

describe('hostile input', () => {
  it.each([
    ['lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ])('is rejected if its %s are nested deeper than 64 levels', async (_, nested) => {
    const { call, backend, id } = await setup();
    const block = (depth: number) => `{"type":"text","text":"x","y":${nested(depth)}}`;
    const event = (depth: number) =>
      `{"events":[{"type":"user.message","content":[${block(depth)}]}]}`;

    const responses = [
      await call('POST', `/sessions/${id}/events`, event(100_000), { 'idempotency-key': 'a' }),
      await call('POST', '/sessions', `{"agent":{"id":"test","x":${nested(100_000)}}}`),
      await backend('POST', '/agent/v1/embed_tokens', `{"system_message":[${block(100_000)}]}`),
      await call('POST', `/sessions/${id}/events`, event(61)),
    ];

    for (const response of responses) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'VALIDATION_ERROR',
        detail: 'The body is nested deeper than 64 levels.',
      });
    }
    expect((await call('POST', `/sessions/${id}/events`, event(50))).status).toBe(200);
  });

  it('is rejected if a member or a label is named `__proto__`', async () => {
    const { backend } = await setup();
    const grant = '"agent":"test","external_user_id":"ada"';
    const action = '"namespace":"tools","name":"add","implementation":{"kind":"code","source":"x"}';

    const token = await backend(
      'POST',
      '/agent/v1/embed_tokens',
      `{${grant},"metadata":{"__proto__":"x"}}`,
    );
    const created = await backend(
      'POST',
      '/automation/v1/actions',
      `{${action},"labels":{"__proto__" : "x"}}`,
    );
    const listed = await backend('GET', '/automation/v1/actions?labels[__proto__]=x');
    const escapedNames = [
      '\\u005f_proto__',
      '__\\u0070roto_\\u005F',
      '_\\u005Fpr\\u006ft\\u006F__',
    ];
    const escaped = await Promise.all(
      escapedNames.map((name) =>
        backend('POST', '/agent/v1/embed_tokens', `{${grant},"metadata":{"${name}":"x"}}`),
      ),
    );

    const reason = 'must not hold a member named `__proto__`';
    expect([token.status, created.status, listed.status]).toEqual([400, 400, 400]);
    expect(escaped.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(await token.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ pointer: '', message: reason }],
    });
    expect(await created.json()).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await listed.json()).toMatchObject({
      code: 'INVALID_PARAMS',
      errors: [{ pointer: '/query/labels', message: reason }],
    });
  });

  it('is accepted if `__proto__` only occurs in a value', async () => {
    const { backend } = await setup();

    const token = await backend('POST', '/agent/v1/embed_tokens', {
      agent: 'test',
      external_user_id: 'ada',
      metadata: { note: '__proto__', quoted: '"__proto__":', escaped: '"\\u005f_proto__":' },
    });

    expect(token.status).toBe(200);
  });

  it.each([
    ['blocks', (count: number) => ({ events: [{ type: 'user.message', content: list(count) }] })],
    ['events', (count: number) => ({ events: list(count) })],
    ['unknown fields', (count: number) => ({ events: [], ...list(count) })],
  ])('gets a short response if it is a long list of %s', async (_, body) => {
    const { call, id, logLines } = await setup();

    for (const count of [2_000, 60_000]) {
      const text = JSON.stringify(body(count));
      const response = await call('POST', `/sessions/${id}/events`, text);
      const problem = (await response.json()) as { errors: unknown[] };

      expect(response.status).toBe(400);
      expect(problem.errors.length).toBeLessThanOrEqual(20);
      expect(JSON.stringify(problem).length).toBeLessThan(8_000);
    }
    expect(logLines.filter((line) => line.includes('RangeError'))).toEqual([]);
  });

  it('gets a response that says how many errors are not listed', async () => {
    const { call, id } = await setup();

    const response = await call('POST', `/sessions/${id}/events`, {
      events: [{ type: 'user.message', content: list(64) }],
    });

    expect(await response.json()).toMatchObject({
      detail: expect.stringContaining(' 19 more in `errors`, and 44 that are not listed.'),
    });
  });

  it('is rejected if it contains more than 10,000 values', async () => {
    const { call, id } = await setup();

    const response = await call('POST', `/sessions/${id}/events`, { events: [list(10_001)] });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: 'The body holds more than 10000 values.',
    });
  });

  it('takes processor time that grows linearly with the repetitions of a query parameter', async () => {
    const { call, id } = await setup();
    const filter = async (count: number) => {
      const all = 'types=user.message&'.repeat(count);
      const response = await call('GET', `/sessions/${id}/events?${all}types=__proto__`);
      expect(response.status).toBe(200);
    };

    expect(await cpuGrowth(filter, 2_500)).toBeLessThan(24);
  });

  it('matches no event if it filters by unknown event types', async () => {
    const { call, id } = await setup();
    await call('POST', `/sessions/${id}/events`, { events: [message('hi')] });

    const page = await call('GET', `/sessions/${id}/events?types=constructor&types=%00`);

    expect(await page.json()).toEqual({ data: [], next_cursor: null, next_page: null });
  });

  it('is rejected if a message contains more than 64 files', async () => {
    const { call, upload, id } = await setup();
    const form = new FormData();
    form.append('file', new File(['x'], 'x.txt'));
    const file = (await (await upload(form)).json()) as { id: string };
    const blocks = (count: number) =>
      Array.from({ length: count }, () => ({
        type: 'document',
        source: { type: 'file', file_id: file.id },
      }));
    const send = (count: number) =>
      call('POST', `/sessions/${id}/events`, {
        events: [{ type: 'user.message', content: blocks(count) }],
      });

    const refused = await send(65);

    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      errors: [{ pointer: '/events/0/content', message: 'must have at most 64 blocks' }],
    });
    expect((await send(64)).status).toBe(200);
  });

  it('is rejected if it is a form with more than 16 parts', async () => {
    const { upload } = await setup();
    const part = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n1\r\n';

    for (const boundary of ['b', '"b"']) {
      const response = await upload(`${part.repeat(100_000)}--b--\r\n`, {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      });

      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        detail: 'The body must have at most 16 parts.',
      });
    }
  });

  it.each([
    'multipart/form-data; x=";boundary=decoy"; boundary=b',
    'multipart/form-data; boundary=decoy; boundary=b',
    'multipart/form-data; x="; boundary=decoy',
  ])('is rejected if an ambiguous boundary hides parts of a form: %s', async (type) => {
    const { upload } = await setup();
    const part = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n1\r\n';

    const response = await upload(`${part.repeat(100_000)}--b--\r\n`, { 'content-type': type });

    expect(response.status).toBe(400);
  });

  it('is rejected if it is an incomplete form or a form with two files', async () => {
    const { upload } = await setup();
    const file = (end: string) =>
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx${end}`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };

    const complete = await upload(`${file('\r\n')}--b--\r\n`, headers);
    const broken = await upload(file(''), headers);
    const several = await upload(`${file('\r\n')}${file('\r\n')}--b--\r\n`, headers);

    expect(complete.status).toBe(200);
    expect([broken.status, several.status]).toEqual([400, 400]);
    expect(await several.json()).toMatchObject({
      detail: 'The body must have one part named `file`, not several.',
    });
  });

  it('is truncated without splitting a surrogate pair if it is a long file name', async () => {
    const { upload } = await setup();
    const form = new FormData();
    form.append('file', new File(['x'], `${'a'.repeat(199)}😀`));

    expect(await (await upload(form)).json()).toMatchObject({ filename: 'a'.repeat(199) });
  });
});
