import { Problem } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { setupServer, testApiKey, testOrigin } from '../testing/setup-server.ts';

const list = '/agent/v1/embed_tokens';
const config = '/agent/v1/embed/config';

describe('credentials', () => {
  it.each([
    ['', 'Bearer'],
    ['Basic dXNlcjpwYXNz', 'Bearer'],
    ['Bearer', 'Bearer'],
    ['Bearer a b', 'Bearer'],
    [`Bearer ${testApiKey}x`, 'neither'],
    [`Bearer ${testApiKey.slice(0, -1)}`, 'neither'],
    ['Bearer pk_test', 'neither'],
  ])('%j is refused', async (authorization, words) => {
    const { app } = await setupServer();

    const response = await app.request(list, { headers: { authorization } });

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    const problem = Problem.parse(await response.json());
    expect(problem.code).toBe('AUTHENTICATION_ERROR');
    expect(problem.detail).toContain(words);
  });

  it('are requested without an error code if none was sent', async () => {
    const { app } = await setupServer();

    const none = await app.request(list);
    const wrong = await app.request(list, { headers: { authorization: 'Bearer sk-service-x' } });

    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="inlay"');
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('accept the scheme in any case', async () => {
    const { app } = await setupServer();

    const response = await app.request(list, {
      headers: { authorization: `bearer ${testApiKey}` },
    });

    expect(response.status).toBe(200);
  });

  it('do not let an API key act as an end user', async () => {
    const { backend } = await setupServer();

    const response = await backend('GET', config);

    expect(response.status).toBe(401);
    expect(Problem.parse(await response.json()).detail).toContain('embed token');
  });

  it('are never read from the URL', async () => {
    const { app, issue } = await setupServer();
    const { token } = await issue();

    const response = await app.request(`${config}?access_token=${token}`, {
      headers: { origin: testOrigin },
    });

    expect(response.status).toBe(401);
  });

  it('refuse unknown, truncated and extended tokens', async () => {
    const { endUser, issue } = await setupServer();
    const { token } = await issue();

    for (const wrong of [`et_${'A'.repeat(43)}`, token.slice(0, -1), `${token}A`]) {
      const response = await endUser(wrong, 'GET', config);
      expect(response.status).toBe(401);
      expect(Problem.parse(await response.json()).code).toBe('AUTHENTICATION_ERROR');
    }
  });
});
