import { Problem, type ProblemCode, problems } from '@inlay/protocol';
import * as z from 'zod';
import type { Audience, Route, RouteDescription } from '../http/route.ts';
import {
  headerComponents,
  headerParameterComponents,
  headerParameters,
  problemHeaders,
  responseHeaders,
} from './open-api-headers.ts';
import { convertSchema } from './open-api-schemas.ts';

const endUserProblems = [
  'AUTHENTICATION_ERROR',
  'EMBED_TOKEN_EXPIRED',
  'EMBED_TOKEN_REVOKED',
  'EMBED_ORIGIN_NOT_ALLOWED',
  'EMBED_USER_BLOCKED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const satisfies readonly ProblemCode[];

/** Problem codes that all routes of an audience have, besides the codes of the single route. */
const commonProblems: Record<Audience, readonly ProblemCode[]> = {
  public: ['RATE_LIMITED', 'INTERNAL_ERROR'],
  optional: ['AUTHENTICATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR'],
  backend: ['AUTHENTICATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR'],
  end_user: endUserProblems,
  any: endUserProblems,
};

/** Problem codes for malformed requests to any path. */
const generalProblems = [
  'VALIDATION_ERROR',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'HEADERS_TOO_LARGE',
] as const satisfies readonly ProblemCode[];

/** Descriptions of the tags. */
const tags: Record<string, string> = {
  Actions: 'Single executable units with a contract, and their revisions.',
  Agents: 'AI agents with their versions and embed policies.',
  'Audit record': 'Operations of API keys and of the command line.',
  Databases: 'Databases with their schema, and the log of its changes.',
  'Embed tokens': 'Short-lived credentials of one end user each, for browsers.',
  'End users': 'Revoking the tokens of one end user, blocking, and erasure.',
  Events: 'The log of a conversation: sending, reading and streaming events.',
  Files: 'Attachments of messages.',
  Models: 'The catalogue of models, and completions.',
  'Media libraries': 'Media libraries with their assets, and the log of their changes.',
  Meta: 'Health and this API description.',
  'Publishable keys': 'Identifiers with which pages get tokens for visitors.',
  Webhooks: 'Addresses of the host’s backend that are notified of events.',
  Rights: 'Deletion of one’s own data.',
  Scripts: 'TypeScript programs, with a draft and versions.',
  Sessions: 'Conversations.',
  Widget: 'Configuration of the widget.',
  Workflows: 'YAML definitions made of steps, with a draft and versions.',
};

const security: Record<Audience, object[]> = {
  public: [{}],
  optional: [{}, { apiKey: [] }],
  backend: [{ apiKey: [] }],
  end_user: [{ embedToken: [] }],
  any: [{ apiKey: [] }, { embedToken: [] }],
};

/** Components by name. Operations add those that they reference. */
interface Components {
  schemas: Map<string, object>;
  responses: Map<string, object>;
}

/** Generates the API description (OpenAPI 3.1) from the routes of the router. */
export function openApiDocument(
  routes: readonly Route[],
  { baseUrl, version }: { baseUrl: string; version: string },
): Record<string, unknown> {
  const components: Components = { schemas: new Map(), responses: new Map() };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { description } of routes) {
    const path = description.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [description.method]: operation(description, components) };
  }
  const usedTags = new Set(routes.map(({ description }) => description.tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Inlay platform',
      version,
      description:
        'Puts an AI agent inside someone else’s web page. Backends call with an API key, browsers with an embed token. All errors are problems (RFC 9457). Clients ignore unknown fields.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This platform.' }],
    tags: [...usedTags].map((name) => ({ name, description: tags[name] ?? name })),
    paths,
    components: {
      schemas: sortedByName(components.schemas),
      responses: sortedByName(components.responses),
      headers: headerComponents,
      parameters: headerParameterComponents,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key of the host’s backend.' },
        embedToken: { type: 'http', scheme: 'bearer', description: 'Embed token of an end user.' },
      },
    },
  };
}

function operation(description: RouteDescription, components: Components): Record<string, unknown> {
  const { audience, tag, summary, body, accepts, response, responseType } = description;
  const content = {
    ...(response && {
      'application/json': { schema: convertSchema(response, 'output', components.schemas) },
    }),
    ...(responseType && { [responseType]: { schema: { type: 'string' } } }),
  };
  return {
    operationId: operationId(description),
    tags: [tag],
    summary,
    ...describeDetails(description),
    ...(description.deprecated && { deprecated: true }),
    security: security[audience],
    parameters: [
      ...pathParameters(description.path),
      ...queryParameters(description),
      ...headerParameters(description),
    ],
    ...((body || accepts) && {
      requestBody: {
        required: true,
        content: body
          ? { 'application/json': { schema: convertSchema(body, 'input', components.schemas) } }
          : { [accepts ?? '']: { schema: uploadSchema } },
      },
    }),
    responses: {
      200: {
        description: 'Success.',
        headers: responseHeaders(),
        ...(Object.keys(content).length > 0 && { content }),
      },
      ...problemResponses(description, components),
    },
  };
}

/** Start of the description of a Beta route, for readers. `npm run check` reads `x-beta`. */
const betaNotice = '**Beta**: this route may change at any time.';

function describeDetails({ description, beta: isBeta }: RouteDescription): object {
  const text = [isBeta && betaNotice, description].filter(Boolean).join(' ');
  return { ...(isBeta && { 'x-beta': true }), ...(text && { description: text }) };
}

/** Schema of a body that is not JSON. */
const uploadSchema = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary', description: 'The file itself.' } },
  required: ['file'],
};

/**
 * Returns the operation id of a route, such as `postEmbedTokensByIdRevoke` for `POST
 * /agent/v1/embed_tokens/:id/revoke`.
 */
function operationId({ method, path }: RouteDescription): string {
  const words = path
    .replace(/^\/\w+\/v1/, '')
    .replaceAll(':', 'by_')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** All problem codes, in the order in which responses list and name them. */
const problemCodes = Object.keys(problems) as ProblemCode[];

/** Adds the problem responses of a route to the components, and returns references to them. */
function problemResponses(
  description: RouteDescription,
  components: Components,
): Record<string, unknown> {
  const checksInput = description.body || description.query;
  const codes = new Set<ProblemCode>([
    ...(checksInput ? [description.invalidCode ?? ('VALIDATION_ERROR' as const)] : []),
    ...(description.body
      ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'SERVICE_UNAVAILABLE'] as const)
      : []),
    ...commonProblems[description.audience],
    // Requests from unknown origins are refused before they reach a route of the agent service.
    ...(description.path.startsWith('/agent/') ? (['EMBED_ORIGIN_NOT_ALLOWED'] as const) : []),
    ...(description.problems ?? []),
  ]);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemCodes.filter((each) => codes.has(each))) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const describeCodes = (names: readonly ProblemCode[]) =>
    names.map((name) => `\`${name}\`: ${problems[name].title}.`).join(' ');
  const reference = (name: string, text: string, status: number) => {
    if (!components.responses.has(name)) {
      components.responses.set(name, problemResponse(text, status, components));
    }
    return { $ref: `#/components/responses/${name}` };
  };
  return {
    ...Object.fromEntries(
      [...byStatus].map(([status, names]) => [
        status,
        reference(names.join('-'), describeCodes(names), status),
      ]),
    ),
    '4XX': reference(
      'MALFORMED_REQUEST',
      `Errors of malformed requests. ${describeCodes(generalProblems)}`,
      400,
    ),
  };
}

function problemResponse(description: string, status: number, { schemas }: Components): object {
  return {
    description,
    headers: problemHeaders(status),
    content: { 'application/problem+json': { schema: convertSchema(Problem, 'output', schemas) } },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathDescriptions[name] ?? `The ${name}.`,
    schema: { type: 'string', minLength: 1 },
  }));
}

const pathDescriptions: Record<string, string> = {
  id: 'Id of the resource.',
  agent_id: 'Id or short id of an agent.',
  external_user_id: 'Id of the end user in the host’s system.',
  ns: 'The namespace, in any case.',
  name: 'The name in the namespace, in any case.',
};

function queryParameters({ query, backendQuery, queryObjects }: RouteDescription): object[] {
  const [ofAll, ofBackends] = [query, backendQuery].map((schema) =>
    z.toJSONSchema(schema ?? z.object({}), { io: 'input', unrepresentable: 'any' }),
  );
  const properties = { ...ofBackends?.properties, ...ofAll?.properties };
  const required = ofAll?.required ?? [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(queryObjects?.includes(name) && { style: 'deepObject', explode: true }),
    schema,
  }));
}

function sortedByName(components: Map<string, object>): Record<string, object> {
  return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
