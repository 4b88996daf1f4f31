import { describe, expect, it } from 'vitest';
import type { RouteDescription } from '../http/route.ts';
import { follow } from '../testing/follow.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';

/** Ids of another user. */
interface Ids {
  session: string;
  file: string;
  event: string;
}

/** A valid body for each route with a body: a route that is missing here fails the test. */
const bodies: Record<string, (ids: Ids) => object> = {
  'post /agent/v1/sessions/:id': () => ({ title: 'mine now' }),
  'post /agent/v1/sessions/:id/events': () => ({ events: [{ type: 'user.interrupt' }] }),
  'post /agent/v1/sessions/:id/feedback': ({ event }) => ({ event_id: event, rating: 'up' }),
};
/** Queries that would wait or stream, to check that ownership is checked first. */
const queries: Record<string, string> = {
  'get /agent/v1/sessions/:id/events': '?after_seq=0&wait=25',
  'get /agent/v1/sessions/:id/events/stream': '?event_deltas[]=agent.message',
};

const embed = {
  allowed_origins: [testOrigin],
  limits: { requests_per_second: 100_000, concurrent: 100 },
};
const model = { provider: 'scripted' as const, delay_ms: 20, first_delay_ms: 0 };

/** Creates a running session and a file of Ada, and three other users who know their ids. */
async function setup() {
  const conversation = await setupConversation({
    config: {
      agents: [
        {
          short_id: 'test',
          name: 'Test agent',
          model,
          publishable_keys: [{ key: 'pk_test' }],
          embed,
        },
        { short_id: 'other', name: 'Other agent', model, embed },
      ],
    },
  });
  const { app, call, create, issue, requestAsPage, token, url } = conversation;
  const session = await create('table');
  const form = new FormData();
  form.set('file', new File(['secret'], 'secret.txt', { type: 'text/plain' }));
  const uploaded = await fetch(`${url}/agent/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, origin: testOrigin },
    body: form,
  });
  const file = ((await uploaded.json()) as { id: string }).id;
  const visitor = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
    publishable_key: 'pk_test',
  });
  const otherUsers = {
    'another user': (await issue('eve')).token,
    'the same name at another agent': (await issue('ada', { agent: 'other' })).token,
    'a visitor': ((await visitor.json()) as { token: string }).token,
  };
  const routes = (await app.routes())
    .map(({ description }) => description)
    .filter(({ audience, path }) => ['end_user', 'any'].includes(audience) && path.includes(':'));

  const nameOf = ({ method, path }: RouteDescription) => `${method} ${path}`;
  const callRoute = (route: RouteDescription, userToken: string, ids: Ids) => {
    const id = route.path.includes('/files/') ? ids.file : ids.session;
    const name = nameOf(route);
    const body = bodies[name]?.(ids);
    if (route.body && !body) throw new Error(`There is no body for ${name} in this test.`);
    const path = route.path.replace('/agent/v1', '').replace(':id', id) + (queries[name] ?? '');
    return call(route.method.toUpperCase(), path, body, { 'last-event-id': '1' }, userToken);
  };
  return { ...conversation, session, file, otherUsers, routes, nameOf, callRoute };
}

/** The parts of a response that could reveal whether an id exists. */
async function comparablePart(response: Response) {
  const body = (await response.json()) as { instance: string; code: string };
  const headers = Object.fromEntries(response.headers);
  for (const name of ['x-request-id', 'date']) delete headers[name];
  for (const name of Object.keys(headers)) if (name.includes('ratelimit')) delete headers[name];
  return { status: response.status, headers, body: { ...body, instance: '' } };
}

describe('a session or file', () => {
  it('causes the same 404 for other users as a missing one, on every route', async () => {
    const { callRoute, file, log, nameOf, routes, session, otherUsers } = await setup();
    const existing = { session, file, event: 'evt_x' };
    const startedAt = performance.now();

    for (const route of routes) {
      for (const [who, token] of Object.entries(otherUsers)) {
        const forExisting = await comparablePart(await callRoute(route, token, existing));
        const forMissing = await comparablePart(
          await callRoute(route, token, { session: 'ses_none', file: 'file_none', event: 'evt_x' }),
        );

        const description = `${nameOf(route)} by ${who}`;
        expect([description, forExisting.status, forExisting.body.code]).toEqual([
          description,
          404,
          'NOT_FOUND',
        ]);
        expect([description, forExisting]).toEqual([description, forMissing]);
      }
    }

    expect(routes.map(nameOf)).toContain('get /agent/v1/sessions/:id/events/stream');
    expect(routes.length).toBeGreaterThanOrEqual(9);
    // No request has waited for an event.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    const types = (await log(session)).map(({ type }) => type);
    expect(types).not.toContain('user.interrupt');
    expect(types).not.toContain('session.updated');
  });

  it('is accessible to its owner on the same routes', async () => {
    const { callRoute, file, follow, log, nameOf, routes, session, token } = await setup();
    await (await follow(session)).until(isType('session.status_idle'));
    const answer = (await log(session)).find(({ type }) => type === 'agent.message');
    const ids = { session, file, event: answer?.id ?? '' };
    // Archives and deletes last, because the other requests would fail afterwards.
    const orderOf = ({ method, path }: RouteDescription) =>
      method === 'delete' ? 2 : path.endsWith('/archive') ? 1 : 0;

    for (const route of routes.toSorted((a, b) => orderOf(a) - orderOf(b))) {
      if (route.responseType === 'text/event-stream') continue;
      const { status } = await callRoute(route, token, ids);
      expect([nameOf(route), status]).toEqual([nameOf(route), 200]);
    }
  });

  it('cannot be streamed by other users, with any Last-Event-ID', async () => {
    const { session, otherUsers, url } = await setup();
    const path = `${url}/agent/v1/sessions/${session}/events/stream`;

    for (const token of Object.values(otherUsers)) {
      for (const id of ['0', '1', '1.5', '999', 'garbage']) {
        const { response } = await follow(path, token, { headers: { 'last-event-id': id } });
        expect(response.status).toBe(404);
      }
    }
  });

  it('is not returned to other users who send the idempotency key of its owner', async () => {
    const { call, otherUsers, token } = await setup();
    const body = { initial_events: [message('hi')] };
    const key = { 'idempotency-key': 'the-same' };
    const create = async (userToken: string) =>
      ((await (await call('POST', '/sessions', body, key, userToken)).json()) as { id: string }).id;

    const ids = [await create(token)];
    for (const other of Object.values(otherUsers)) ids.push(await create(other));

    expect(new Set(ids).size).toBe(ids.length);
  });
});
