import { describe, expect, it } from 'vitest';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const changelog = 'https://chat.example.test/changelog#agents';
const list = 'GET /agent/v1/agents';
const deprecation = {
  since: '2026-01-01',
  sunset: '2026-04-01T12:00:00Z',
  link: changelog,
  successor: '/agent/v2/agents',
};
const deprecate = (deprecations: Record<string, object>) =>
  setupServer({ config: { deprecations: deprecations as Record<string, typeof deprecation> } });

const expectedHeaders = {
  deprecation: '@1767225600',
  sunset: 'Wed, 01 Apr 2026 12:00:00 GMT',
  link: `<${changelog}>; rel="deprecation"; type="text/html", <${changelog}>; rel="sunset", </agent/v2/agents>; rel="successor-version"`,
};

describe('9.5: a route that the configuration deprecates', () => {
  it('adds Deprecation, Sunset and Link to its responses', async () => {
    const { backend } = await deprecate({ [list]: deprecation });

    const response = await backend('GET', '/agent/v1/agents');

    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject(expectedHeaders);
  });

  it('adds Deprecation, Sunset and Link to errors, and exposes them to pages', async () => {
    const { requestAsPage } = await deprecate({ 'GET /agent/v1/embed/config': deprecation });

    const response = await requestAsPage('GET', '/agent/v1/embed/config', undefined, {
      origin: testOrigin,
    });

    expect(response.status).toBe(401);
    expect(Object.fromEntries(response.headers)).toMatchObject(expectedHeaders);
    expect(response.headers.get('access-control-expose-headers')).toMatch(
      /Deprecation, Sunset, Link/,
    );
  });

  it('adds Deprecation, Sunset and Link to a 429 that is sent before the route is reached', async () => {
    const { backend } = await setupServer({
      config: {
        limits: { api_key: { requests_per_second: 1, concurrent: 1 } },
        deprecations: { [list]: deprecation },
      },
    });
    await backend('GET', '/agent/v1/agents');

    const response = await backend('GET', '/agent/v1/agents');

    expect(response.status).toBe(429);
    expect(Object.fromEntries(response.headers)).toMatchObject(expectedHeaders);
  });

  it('does not change the headers of other routes', async () => {
    const { backend } = await deprecate({ [list]: deprecation });

    const response = await backend('GET', '/agent/v1/embed_tokens');

    for (const name of Object.keys(expectedHeaders)) expect(response.headers.get(name)).toBeNull();
  });

  it('returns 404 from its sunset date on', async () => {
    const { backend, clock } = await deprecate({ [list]: deprecation });
    clock.advance(Date.parse(deprecation.sunset) - clock.now());

    expect((await backend('GET', '/agent/v1/agents')).status).toBe(404);
  });

  it('is marked as deprecated in the API description', async () => {
    const { app } = await deprecate({ [list]: deprecation });

    const document = (await (await app.request('/meta/v1/openapi.json')).json()) as {
      paths: Record<string, Record<string, { deprecated?: boolean }>>;
    };

    expect(document.paths['/agent/v1/agents']?.get?.deprecated).toBe(true);
    const marked = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter((operation) => operation.deprecated !== undefined);
    expect(marked).toHaveLength(1);
  });

  it.each([
    [
      'less than 90 days before the sunset',
      { [list]: { ...deprecation, sunset: '2026-03-31' } },
      /at least 90 days after `since`/,
    ],
    [
      'an invalid date',
      { [list]: { ...deprecation, since: 'soon' } },
      /since.*must be an ISO 8601 date or time/s,
    ],
    [
      'a javascript: URL',
      { [list]: { ...deprecation, link: 'javascript:alert(1)' } },
      /link.*must be an http or https URL/s,
    ],
    [
      'a successor that is neither a URL nor a path',
      { [list]: { ...deprecation, successor: '/a>; rel="x' } },
      /successor.*must be a URL or a path/s,
    ],
    [
      'an unknown route',
      { 'GET /agent/v1/nothing': deprecation },
      /deprecations names `GET \/agent\/v1\/nothing`/,
    ],
  ])('cannot be configured with %s', async (_, deprecations, expectedText) => {
    await expect(deprecate(deprecations)).rejects.toThrow(expectedText);
  });
});
