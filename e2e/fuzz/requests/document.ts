import type { FamilyName } from '../../../packages/server/src/lib/config/compatible.ts';

/** The keywords of JSON Schema 2020-12 that are used to generate requests. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  /** `deepObject` for an object whose members are in brackets: `labels[a]=b`. */
  style?: string;
}

export interface ResponseDescription {
  headers?: Record<string, { required: boolean }>;
  content?: Record<string, { schema: object }>;
}

/** An operation of the API description. */
export interface Operation {
  method: string;
  /** Path template, with `{name}` for parameters. */
  path: string;
  credential: 'apiKey' | 'embedToken' | 'none';
  parameters: Parameter[];
  body: { type: string; schema: Schema } | null;
  responses: Record<string, ResponseDescription>;
  /** The family of an operation under a compatible prefix. */
  family?: FamilyName;
}

/** An API description (OpenAPI 3.1) without references. */
export interface ApiDocument {
  paths: Record<string, Record<string, RawOperation>>;
}

interface RawOperation {
  security: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, ResponseDescription>;
}

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const [type, content] = Object.entries(raw.requestBody?.content ?? {})[0] ?? [];
      const schemes = raw.security.flatMap((each) => Object.keys(each));
      return {
        method: method.toUpperCase(),
        path,
        credential: schemes.includes('apiKey')
          ? ('apiKey' as const)
          : schemes.includes('embedToken')
            ? ('embedToken' as const)
            : ('none' as const),
        parameters: raw.parameters,
        body: type && content ? { type, schema: content.schema } : null,
        responses: raw.responses,
      };
    }),
  );
}

/** A segment of a path template: a text, or the name of the fixture that replaces a parameter. */
export type PathSegment = string | { fixture: string };

/**
 * Splits a path template at its slashes. The meaning of `{id}` depends on the collection before it,
 * so that its fixture is `sessions/id`; those of `actions/{ns}/{name}` are `actions/ns` and
 * `actions/name`.
 */
export function segmentsOf(path: string): PathSegment[] {
  let collection = '';
  return path.split('/').map((segment) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name !== undefined) return { fixture: `${collection}/${name}` };
    collection = segment;
    return segment;
  });
}
