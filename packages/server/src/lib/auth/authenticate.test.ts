import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testApiKey, testOrigin } from '../testing/setup-server.ts';

const listPath = '/agent/v1/embed_tokens';
const configPath = '/agent/v1/embed/config';

describe('credentials', () => {
  it.each([
    ['', 'Bearer'],
    ['Basic dXNlcjpwYXNz', 'Bearer'],
    ['Bearer', 'Bearer'],
    ['Bearer a b', 'Bearer'],
    [`Bearer ${testApiKey}x`, 'neither'],
    [`Bearer ${testApiKey.slice(0, -1)}`, 'neither'],
    ['Bearer pk_test', 'neither'],
  ])('are rejected if the Authorization header is %j', async (authorization, expectedDetail) => {
    const { app } = await setupServer();

    const response = await app.request(listPath, { headers: { authorization } });

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    const problem = await problemOf(response);
    expect(problem.code).toBe('AUTHENTICATION_ERROR');
    expect(problem.detail).toContain(expectedDetail);
  });

  it('cause a WWW-Authenticate header, with an error code if they are invalid, without it if missing', async () => {
    const { app } = await setupServer();

    const withoutCredential = await app.request(listPath);
    const unknownKey = await app.request(listPath, {
      headers: { authorization: 'Bearer sk-service-x' },
    });

    expect(withoutCredential.headers.get('www-authenticate')).toBe('Bearer realm="inlay"');
    expect(unknownKey.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('are accepted with the scheme in lower case', async () => {
    const { app } = await setupServer();

    const response = await app.request(listPath, {
      headers: { authorization: `bearer ${testApiKey}` },
    });

    expect(response.status).toBe(200);
  });

  it('are rejected on a route for end users if they are API keys', async () => {
    const { backend } = await setupServer();

    const response = await backend('GET', configPath);

    expect(response.status).toBe(401);
    expect((await problemOf(response)).detail).toContain('embed token');
  });

  it('are not read from the URL', async () => {
    const { app, issue } = await setupServer();
    const { token } = await issue();

    const response = await app.request(`${configPath}?access_token=${token}`, {
      headers: { origin: testOrigin },
    });

    expect(response.status).toBe(401);
  });

  it('are rejected if the token is unknown, truncated or extended', async () => {
    const { requestAsUser, issue } = await setupServer();
    const { token } = await issue();

    for (const invalidToken of [`et_${'A'.repeat(43)}`, token.slice(0, -1), `${token}A`]) {
      const response = await requestAsUser(invalidToken, 'GET', configPath);
      expect(response.status).toBe(401);
      expect((await problemOf(response)).code).toBe('AUTHENTICATION_ERROR');
    }
  });
});
