import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { RouteDescription } from '../http/route.ts';
import { setupServer } from '../testing/setup-server.ts';
import { openApiDocument } from './open-api.ts';

interface Content {
  content?: Record<string, { schema: object }>;
}
interface Operation {
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, { description: string }>;
    securitySchemes: object;
  };
}

async function readDescription() {
  const { app } = await setupServer();
  const text = await (await app.request('/meta/v1/openapi.json')).text();
  const document = JSON.parse(text) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      ...operation,
    })),
  );
  return { text, document, operations };
}

/** Describes a route with this body and response. */
function describeRoute(schemas: Pick<RouteDescription, 'body' | 'response'>): Document {
  const description = {
    method: 'post',
    path: '/agent/v1/things',
    audience: 'backend',
    tag: 'Things',
    summary: 'Make a thing',
    ...schemas,
  } as const;
  const routes = [{ description, handle: async () => null }];
  return openApiDocument(routes, {
    baseUrl: 'https://chat.example',
    version: '1',
  }) as unknown as Document;
}

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('the components of the API description', () => {
  it('are those that it references', async () => {
    const { text, document } = await readDescription();

    const references = [...text.matchAll(/"\$ref":"(.*?)"/g)].map(([, reference]) => reference);

    const { securitySchemes, ...components } = document.components;
    const names = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...new Set(references)].toSorted()).toEqual(names.toSorted());
  });

  it('contain the schema of every JSON request and response', async () => {
    const { document, operations } = await readDescription();

    const unnamed = operations.flatMap(({ name, requestBody, responses }) =>
      [requestBody, responses['200']]
        .map((each) => each?.content?.['application/json']?.schema ?? referenceTo('Any'))
        .filter((schema) => Object.keys(schema).join() !== '$ref')
        .map((schema) => `${name}: ${JSON.stringify(schema)}`),
    );

    expect(unnamed).toEqual([]);
    for (const name of Object.keys(document.components.schemas)) {
      expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
    }
  });

  it('have the names of the types of `@inlay/protocol`', async () => {
    const { document } = await readDescription();

    const issue = document.paths['/agent/v1/embed_tokens']?.post;
    const list = document.paths['/agent/v1/sessions']?.get;

    const schemaOf = (each?: Content) => each?.content?.['application/json']?.schema;
    expect(schemaOf(issue?.requestBody)).toEqual(referenceTo('IssueTokenRequest'));
    expect(schemaOf(issue?.responses['200'])).toEqual(referenceTo('IssueTokenResponse'));
    expect(schemaOf(list?.responses['200'])).toEqual(referenceTo('SessionPage'));
    expect(document.components.schemas.SessionPage).toMatchObject({
      properties: { data: { type: 'array', items: referenceTo('Session') } },
    });
  });

  it('contain every problem response once, named after its codes', async () => {
    const { document, operations } = await readDescription();

    const problems = operations.flatMap(({ name, responses: { 200: _, ...others } }) =>
      Object.entries(others).map(([status, response]) => ({
        name: `${name} ${status}`,
        isReference: '$ref' in response,
      })),
    );

    expect(problems.filter(({ isReference }) => !isReference)).toEqual([]);
    const { responses } = document.components;
    expect(responses.NOT_FOUND?.description).toBe('`NOT_FOUND`: There is nothing here.');
    expect(responses['CONFLICT-NAME_TAKEN']?.description).toMatch(/^`CONFLICT`.*`NAME_TAKEN`/);
    const codes = Object.values(responses).map(({ description }) =>
      [...description.matchAll(/`\w+`/g)].map(String).toSorted().join(),
    );
    expect(codes).toEqual([...new Set(codes)]);
  });

  it('keep the description small: less than 4 kB per operation', async () => {
    const { text, operations } = await readDescription();

    expect(text.length / operations.length).toBeLessThan(4000);
  });
});

describe('a schema with a name', () => {
  it('can be the same in requests and responses', () => {
    const Thing = z.looseObject({ id: z.string() }).meta({ id: 'Thing' });

    const { components } = describeRoute({ body: z.object({ thing: Thing }), response: Thing });

    expect(components.schemas.Thing).toMatchObject({ required: ['id'] });
  });

  it('is refused if it differs between requests and responses', () => {
    const Thing = z.looseObject({ size: z.int().default(1) }).meta({ id: 'Thing' });

    expect(() => describeRoute({ body: Thing, response: Thing })).toThrow(/the name Thing/);
  });

  it('can contain itself', () => {
    const Folder = z.looseObject({
      get folders() {
        return z.array(Folder);
      },
    });
    Folder.register(z.globalRegistry, { id: 'Folder' });

    const { paths, components } = describeRoute({ response: Folder });

    const response = paths['/agent/v1/things']?.post?.responses['200'];
    expect(response?.content?.['application/json']?.schema).toEqual(referenceTo('Folder'));
    expect(components.schemas.Folder).toMatchObject({
      properties: { folders: { type: 'array', items: referenceTo('Folder') } },
    });
  });

  it('keeps the descriptions of its members', () => {
    const Thing = z.looseObject({ id: z.string().describe('The id.') }).meta({ id: 'Thing' });

    const { components } = describeRoute({ response: Thing });

    expect(components.schemas.Thing).toMatchObject({
      properties: { id: { description: 'The id.' } },
    });
  });
});
