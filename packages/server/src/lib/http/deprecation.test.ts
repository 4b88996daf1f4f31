import { describe, expect, it } from 'vitest';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const notes = 'https://chat.example.test/changelog#agents';
const list = 'GET /agent/v1/agents';
const end = {
  since: '2026-01-01',
  sunset: '2026-04-01T12:00:00Z',
  link: notes,
  successor: '/agent/v2/agents',
};
const deprecate = (deprecations: Record<string, object>) =>
  setupServer({ config: { deprecations: deprecations as Record<string, typeof end> } });

const announced = {
  deprecation: '@1767225600',
  sunset: 'Wed, 01 Apr 2026 12:00:00 GMT',
  link: `<${notes}>; rel="deprecation"; type="text/html", <${notes}>; rel="sunset", </agent/v2/agents>; rel="successor-version"`,
};

describe('9.5: a route that the configuration deprecates', () => {
  it('says on its answers when it was announced, when it ends, and where to read on', async () => {
    const { backend } = await deprecate({ [list]: end });

    const response = await backend('GET', '/agent/v1/agents');

    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject(announced);
  });

  it('says so on refusals, too, and lets pages read it', async () => {
    const { page } = await deprecate({ 'GET /agent/v1/embed/config': end });

    const response = await page('GET', '/agent/v1/embed/config', undefined, { origin: testOrigin });

    expect(response.status).toBe(401);
    expect(Object.fromEntries(response.headers)).toMatchObject(announced);
    expect(response.headers.get('access-control-expose-headers')).toMatch(
      /Deprecation, Sunset, Link/,
    );
  });

  it('leaves all others alone', async () => {
    const { backend } = await deprecate({ [list]: end });

    const response = await backend('GET', '/agent/v1/embed_tokens');

    for (const name of Object.keys(announced)) expect(response.headers.get(name)).toBeNull();
  });

  it('is nothing any more once it has ended', async () => {
    const { backend, clock } = await deprecate({ [list]: end });
    clock.advance(Date.parse(end.sunset) - clock.now());

    expect((await backend('GET', '/agent/v1/agents')).status).toBe(404);
  });

  it('is marked in the API description', async () => {
    const { app } = await deprecate({ [list]: end });

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
    [{ [list]: { ...end, sunset: '2026-03-31' } }, /at least 90 days after `since`/],
    [{ [list]: { ...end, since: 'soon' } }, /since.*must be a day or a moment of ISO 8601/s],
    [
      { [list]: { ...end, link: 'javascript:alert(1)' } },
      /link.*must be an http or https address/s,
    ],
    [{ [list]: { ...end, successor: '/a>; rel="x' } }, /successor.*must be an address or a path/s],
    [{ 'GET /agent/v1/nothing': end }, /deprecations names `GET \/agent\/v1\/nothing`/],
  ])('is refused where it is announced wrongly: %j', async (deprecations, words) => {
    await expect(deprecate(deprecations)).rejects.toThrow(words);
  });
});
