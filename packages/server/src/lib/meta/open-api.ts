import { Problem, type ProblemCode, problems } from '@inlay/protocol';
import * as z from 'zod';
import type { Audience, Route, RouteDescription } from '../http/route.ts';

/** Codes that every route of an audience may refuse with, beyond those that it names. */
const commonProblems: Record<Audience, readonly ProblemCode[]> = {
  public: ['RATE_LIMITED', 'INTERNAL_ERROR'],
  backend: ['AUTHENTICATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR'],
  end_user: [
    'AUTHENTICATION_ERROR',
    'EMBED_TOKEN_EXPIRED',
    'EMBED_TOKEN_REVOKED',
    'EMBED_ORIGIN_NOT_ALLOWED',
    'EMBED_USER_BLOCKED',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
  ],
  any: ['AUTHENTICATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR'],
};

const security: Record<Audience, object[]> = {
  public: [{}],
  backend: [{ apiKey: [] }],
  end_user: [{ embedToken: [] }],
  any: [{ apiKey: [] }, { embedToken: [] }],
};

/** The API description (OpenAPI 3.1), made from what the router itself runs on. */
export function openApiDocument(
  routes: readonly Route[],
  { baseUrl, version }: { baseUrl: string; version: string },
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { description } of routes) {
    const path = description.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [description.method]: operation(description) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Inlay platform', version },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: { Problem: jsonSchema(Problem, 'output') },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key of the host’s backend.' },
        embedToken: { type: 'http', scheme: 'bearer', description: 'Embed token of an end user.' },
      },
    },
  };
}

function operation(description: RouteDescription): Record<string, unknown> {
  const { audience, tag, summary, body, accepts, answer, answers } = description;
  const content = {
    ...(answer && { 'application/json': { schema: jsonSchema(answer, 'output') } }),
    ...(answers && { [answers]: { schema: { type: 'string' } } }),
  };
  return {
    tags: [tag],
    summary,
    ...(description.description && { description: description.description }),
    ...(description.deprecated && { deprecated: true }),
    security: security[audience],
    parameters: [...pathParameters(description.path), ...queryParameters(description.query)],
    ...((body || accepts) && {
      requestBody: {
        required: true,
        content: body
          ? { 'application/json': { schema: jsonSchema(body, 'input') } }
          : { [accepts ?? '']: { schema: { type: 'object' } } },
      },
    }),
    responses: {
      200: { description: 'Done.', ...(Object.keys(content).length > 0 && { content }) },
      ...problemResponses(description),
    },
  };
}

function problemResponses(description: RouteDescription): Record<string, unknown> {
  const checksInput = description.body || description.query;
  const codes = new Set<ProblemCode>([
    ...(checksInput ? (['VALIDATION_ERROR'] as const) : []),
    ...(description.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...commonProblems[description.audience],
    ...(description.problems ?? []),
  ]);
  if (description.limited === false) codes.delete('RATE_LIMITED');
  const byStatus: Record<string, ProblemCode[]> = {};
  for (const code of codes) {
    const { status } = problems[code];
    byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, names]) => [
      status,
      {
        description: names.map((name) => `\`${name}\`: ${problems[name].title}.`).join(' '),
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]),
  );
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: RouteDescription['query']): object[] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
