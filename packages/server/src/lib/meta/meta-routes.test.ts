import { bundleFromString, createConfig } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';
import { openApiDocument } from './open-api.ts';

interface Operation {
  summary: string;
  security: object[];
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { required?: string[] } }> };
  responses: Record<string, { description: string }>;
}

/** Reads the API description, and replaces its references by their targets. */
async function readDescription() {
  const { app } = await setupServer();
  const response = await app.request('/meta/v1/openapi.json');
  const { bundle } = await bundleFromString({
    source: await response.text(),
    config: await createConfig({}),
    dereference: true,
  });
  const document = bundle.parsed as {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
  };
  return { app, document };
}

describe('GET /meta/v1/openapi.json', () => {
  it('describes exactly the routes of the router', async () => {
    const { app, document } = await readDescription();

    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );

    const mounted = (await app.routes()).map(
      ({ description }) => `${description.method} ${description.path.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(document.openapi).toBe('3.1.0');
    expect(described.toSorted()).toEqual(mounted.toSorted());
    expect(described).toContain('post /agent/v1/embed_tokens/{id}/revoke');
  });

  it('contains required fields, query parameters and problem codes of the routes', async () => {
    const { document } = await readDescription();

    const issue = document.paths['/agent/v1/embed_tokens']?.post;
    const list = document.paths['/agent/v1/embed_tokens']?.get;
    const log = document.paths['/agent/v1/sessions/{id}/events']?.get;

    expect(issue?.security).toEqual([{ apiKey: [] }]);
    expect(issue?.requestBody?.content['application/json']?.schema.required).toEqual([
      'agent',
      'external_user_id',
    ]);
    expect(issue?.responses['403']?.description).toContain('EMBED_USER_BLOCKED');
    for (const path of ['/agent/v1/sessions', '/agent/v1/sessions/{id}/events']) {
      const description = document.paths[path]?.post?.responses['403']?.description;
      expect(description).toContain('EMBED_FEATURE_DISABLED');
    }
    expect(list?.parameters.map(({ name }) => name)).toEqual([
      'agent_id',
      'external_user_id',
      'publishable_key',
      'status',
      'created_after',
      'limit',
      'page',
    ]);
    expect(log?.parameters.find(({ name }) => name === 'wait')).toMatchObject({
      required: false,
      schema: { type: 'number', minimum: 0, maximum: 25, default: 0 },
    });
    expect(log?.parameters.map(({ name }) => name)).toContain('after_seq');
  });
});

describe('a Beta route', () => {
  it('9.4: is marked as Beta in the API description', () => {
    const description = {
      method: 'get',
      path: '/model/v1/new',
      audience: 'backend',
      tag: 'Models',
      summary: 'Try it',
      description: 'More.',
      response: null,
    } as const;
    const handle = async () => null;

    const { paths } = openApiDocument(
      [
        { description: { ...description, beta: true }, handle },
        { description: { ...description, path: '/model/v1/old' }, handle },
      ],
      { baseUrl: 'https://chat.example', version: '1' },
    ) as { paths: Record<string, { get: object }> };

    expect(paths['/model/v1/new']?.get).toMatchObject({
      'x-beta': true,
      description: '**Beta**: this route may change at any time. More.',
    });
    expect(paths['/model/v1/old']?.get).toMatchObject({ description: 'More.' });
    expect(paths['/model/v1/old']?.get).not.toHaveProperty('x-beta');
  });
});

describe('the API description', () => {
  it.each([
    ['/agent/v1/sessions/{id}/export', 'get', '403', 'EMBED_FEATURE_DISABLED'],
    ['/agent/v1/sessions/{id}', 'delete', '403', 'EMBED_FEATURE_DISABLED'],
    ['/agent/v1/embed/forget_me', 'post', '403', 'EMBED_FEATURE_DISABLED'],
    ['/agent/v1/sessions/{id}/events', 'post', '409', 'CONFLICT'],
    ['/agent/v1/sessions/{id}/terminate', 'post', '404', 'NOT_FOUND'],
    ['/agent/v1/sessions/{id}/unarchive', 'post', '404', 'NOT_FOUND'],
    ['/agent/v1/files', 'post', '400', 'VALIDATION_ERROR'],
  ])('contains for %s (%s) the status %s with %s', async (path, method, status, code) => {
    const { document } = await readDescription();

    const responses = document.paths[path]?.[method]?.responses;
    expect(responses?.[status]?.description).toContain(code);
  });

  it('contains the query parameters of the list of sessions', async () => {
    const { document } = await readDescription();

    const list = document.paths['/agent/v1/sessions']?.get;
    expect(list?.parameters.map(({ name }) => name)).toEqual([
      'agent_id',
      'external_user_id',
      'publishable_key',
      'active_after',
      'active_before',
      'status',
      'rating',
      'outcome',
      'metadata',
      'archived',
      'query',
      'limit',
      'page',
      'include_archived',
    ]);
  });
});
