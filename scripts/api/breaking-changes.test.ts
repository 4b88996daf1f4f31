import { describe, expect, it } from 'vitest';
import { type ApiDescription, breakingChanges } from './breaking-changes.ts';

interface Schema {
  type: string;
  [keyword: string]: unknown;
}
interface ObjectSchema extends Schema {
  properties: Record<string, Schema>;
  required: string[];
}

/** Creates an API with one route. A test changes the returned parts of the description. */
function createApi() {
  const request: ObjectSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 100 },
      count: { type: 'integer', default: 20, maximum: 50 },
      note: { type: 'string' },
    },
    required: ['name'],
  };
  const response: ObjectSchema = {
    type: 'object',
    properties: { id: { type: 'string' }, status: { type: 'string', enum: ['a', 'b'] } },
    required: ['id', 'status'],
  };
  const parameters: object[] = [{ name: 'limit', in: 'query', schema: { type: 'integer' } }];
  const operation: Record<string, unknown> = {
    summary: 'Make a thing',
    parameters,
    requestBody: { content: { 'application/json': { schema: request } } },
    responses: { 200: { description: 'x', content: { 'application/json': { schema: response } } } },
  };
  const paths: Record<string, Record<string, unknown>> = { '/v1/things': { post: operation } };
  const document: ApiDescription = {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths,
  };
  return { document, paths, operation, parameters, request, response };
}

type Api = ReturnType<typeof createApi>;

/**
 * Returns the breaking changes between two descriptions of the API.
 *
 * @param change Changes the second description.
 * @param prepare Changes both descriptions before that.
 */
function changesOf(
  change: (api: Api) => void,
  prepare: (api: Api) => void = () => {},
): Promise<string[]> {
  const [before, after] = [createApi(), createApi()];
  prepare(before);
  prepare(after);
  change(after);
  return breakingChanges(before.document, after.document);
}

/** Makes the schema of the response a component with this name. */
function nameResponse({ operation, response, document }: Api, name = 'Thing'): void {
  Object.assign(document, { components: { schemas: { [name]: response } } });
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
  operation.responses = { 200: { description: 'x', content } };
}

describe('9.3: a breaking change', () => {
  it.each<[string, (api: Api) => unknown]>([
    ['a removed path', ({ paths }) => delete paths['/v1/things']],
    ['a removed operation', ({ paths }) => delete paths['/v1/things']?.post],
    ['a removed field of a response', ({ response }) => delete response.properties.id],
    ['a field of a response that becomes optional', ({ response }) => response.required.pop()],
    [
      'a changed type in a response',
      ({ response }) => Object.assign(response.properties.id ?? {}, { type: 'integer' }),
    ],
    [
      'a changed type in a request',
      ({ request }) => Object.assign(request.properties.name ?? {}, { type: 'integer' }),
    ],
    [
      'a changed default',
      ({ request }) => Object.assign(request.properties.count ?? {}, { default: 10 }),
    ],
    [
      'a lower maximum length',
      ({ request }) => Object.assign(request.properties.name ?? {}, { maxLength: 10 }),
    ],
    ['a newly required field', ({ request }) => request.required.push('note')],
    ['a removed parameter', ({ parameters }) => parameters.pop()],
    [
      'a new required parameter',
      ({ parameters }) =>
        parameters.push({ name: 'q', in: 'query', required: true, schema: { type: 'string' } }),
    ],
  ])('is reported: %s', async (_, change) => {
    const changes = await changesOf(change);

    expect(changes).not.toEqual([]);
    expect(changes[0]).toMatch(/^POST \/v1\/things: \S/);
  });

  it('is reported: another way to authenticate', async () => {
    const setScheme = ({ document }: Api, scheme: string) =>
      Object.assign(document, {
        components: { securitySchemes: { apiKey: { type: 'http', scheme } } },
      });

    const changes = await changesOf(
      (api) => setScheme(api, 'basic'),
      (api) => setScheme(api, 'bearer'),
    );

    expect(changes).toHaveLength(1);
    expect(changes[0]).toContain('securitySchemes');
  });

  it('in a component is reported for the operation that references it', async () => {
    const changes = await changesOf(
      ({ response }) => delete response.properties.id,
      (api) => nameResponse(api),
    );

    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatch(/^POST \/v1\/things: \S/);
  });
});

describe('9.3: a compatible change', () => {
  it.each<[string, (api: Api) => unknown]>([
    ['an unchanged API', () => {}],
    [
      'a new path',
      ({ paths, operation }) => Object.assign(paths, { '/v1/new': { get: operation } }),
    ],
    [
      'a new field of a response',
      ({ response }) => {
        response.properties.extra = { type: 'string' };
        response.required.push('extra');
      },
    ],
    [
      'a new optional field of a request',
      ({ request }) => Object.assign(request.properties, { extra: { type: 'string' } }),
    ],
    [
      'relaxed validation',
      ({ request }) => Object.assign(request.properties.name ?? {}, { maxLength: 200 }),
    ],
    [
      'a new optional parameter',
      ({ parameters }) => parameters.push({ name: 'q', in: 'query', schema: { type: 'string' } }),
    ],
    ['a changed summary', ({ operation }) => Object.assign(operation, { summary: 'Other' })],
    ['a schema that becomes a component', (api) => nameResponse(api)],
  ])('is not reported: %s', async (_, change) => {
    expect(await changesOf(change)).toEqual([]);
  });

  it('is not reported: another name of a component', async () => {
    expect(
      await changesOf(
        (api) => nameResponse(api, 'Other'),
        (api) => nameResponse(api, 'Thing'),
      ),
    ).toEqual([]);
  });
});

describe('9.4: a Beta operation', () => {
  const mark = ({ operation }: Api) => Object.assign(operation, { 'x-beta': true });

  it('may change or be removed', async () => {
    expect(await changesOf(({ response }) => delete response.properties.id, mark)).toEqual([]);
    expect(await changesOf(({ paths }) => delete paths['/v1/things']?.post, mark)).toEqual([]);
  });

  it('may change in a component that only it references', async () => {
    const markNamed = (api: Api) => {
      mark(api);
      nameResponse(api);
    };

    expect(await changesOf(({ response }) => delete response.properties.id, markNamed)).toEqual([]);
  });

  it('may become stable', async () => {
    expect(await changesOf(({ operation }) => delete operation['x-beta'], mark)).toEqual([]);
  });

  it('must not change if it was stable in the last release', async () => {
    expect(
      await changesOf((api) => {
        mark(api);
        delete api.response.properties.id;
      }),
    ).not.toEqual([]);
  });
});
