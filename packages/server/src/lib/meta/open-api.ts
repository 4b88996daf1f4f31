import { Problem, type ProblemCode, problems } from '@inlay/protocol';
import * as z from 'zod';
import type { Audience, Route, RouteDescription } from '../http/route.ts';
import {
  answerHeaders,
  headerComponents,
  headerParameterComponents,
  headerParameters,
  problemHeaders,
} from './open-api-headers.ts';

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

/** Codes by which every address refuses what is wrong with a request as such. */
const anywhere = [
  'VALIDATION_ERROR',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'HEADERS_TOO_LARGE',
] as const satisfies readonly ProblemCode[];

/** What the headings of the groups are about. */
const tags: Record<string, string> = {
  Agents: 'What talks with people, its versions and its embed policy.',
  'Embed tokens': 'Short-lived credentials of one end user each, for browsers.',
  'End users': 'Ending and blocking the tokens of one person.',
  Events: 'The log of a conversation: writing to it, reading it, following it.',
  Files: 'Attachments of messages.',
  Meta: 'What the platform says about itself.',
  'Publishable keys': 'What pages without a backend of their own get tokens by.',
  Rights: 'What a person may ask for about their own data.',
  Sessions: 'Conversations.',
  Widget: 'What a page needs to draw the chat.',
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
  const used = new Set(routes.map(({ description }) => description.tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Inlay platform',
      version,
      description:
        'Puts an AI agent inside someone else’s web page. Backends call with an API key, browsers with an embed token. Every refusal is a problem (RFC 9457). Clients pass over fields that they do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This platform.' }],
    tags: [...used].map((name) => ({ name, description: tags[name] ?? name })),
    paths,
    components: {
      schemas: { Problem: jsonSchema(Problem, 'output') },
      headers: headerComponents,
      parameters: headerParameterComponents,
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
    operationId: operationId(description),
    tags: [tag],
    summary,
    ...(description.description && { description: description.description }),
    ...(description.deprecated && { deprecated: true }),
    security: security[audience],
    parameters: [
      ...pathParameters(description.path),
      ...queryParameters(description.query),
      ...headerParameters(description),
    ],
    ...((body || accepts) && {
      requestBody: {
        required: true,
        content: body
          ? { 'application/json': { schema: jsonSchema(body, 'input') } }
          : { [accepts ?? '']: { schema: upload } },
      },
    }),
    responses: {
      200: {
        description: 'Done.',
        headers: answerHeaders(description),
        ...(Object.keys(content).length > 0 && { content }),
      },
      ...problemResponses(description),
    },
  };
}

/** What a body that is not JSON holds. */
const upload = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary', description: 'The file itself.' } },
  required: ['file'],
};

/** `POST /agent/v1/embed_tokens/:id/revoke` is `postEmbedTokensByIdRevoke`. */
function operationId({ method, path }: RouteDescription): string {
  const words = path
    .replace(/^\/(agent|meta)\/v1/, '')
    .replaceAll(':', 'by_')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function problemResponses(description: RouteDescription): Record<string, unknown> {
  const checksInput = description.body || description.query;
  const codes = new Set<ProblemCode>([
    ...(checksInput ? (['VALIDATION_ERROR'] as const) : []),
    ...(description.body
      ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'SERVICE_UNAVAILABLE'] as const)
      : []),
    ...commonProblems[description.audience],
    // Before any route of the service, a page of an unknown origin is told so.
    ...(description.path.startsWith('/agent/') ? (['EMBED_ORIGIN_NOT_ALLOWED'] as const) : []),
    ...(description.problems ?? []),
  ]);
  if (description.limited === false) codes.delete('RATE_LIMITED');
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const says = (names: readonly ProblemCode[]) =>
    names.map((name) => `\`${name}\`: ${problems[name].title}.`).join(' ');
  return {
    ...Object.fromEntries(
      [...byStatus].map(([status, names]) => [status, problemResponse(says(names), status)]),
    ),
    '4XX': problemResponse(`What every address refuses alike. ${says(anywhere)}`, 400),
  };
}

function problemResponse(description: string, status: number): object {
  return {
    description,
    headers: problemHeaders(status),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathWords[name] ?? `The ${name}.`,
    schema: { type: 'string', minLength: 1 },
  }));
}

const pathWords: Record<string, string> = {
  id: 'Id of what the path names.',
  agent_id: 'Id or short id of an agent.',
  external_user_id: 'Id of the end user in the host’s system.',
};

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
