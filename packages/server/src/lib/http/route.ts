import type { ProblemCode } from '@inlay/protocol';
import type { Context } from 'hono';
import type * as z from 'zod';
import type { BackendCaller, Caller, EndUserCaller } from '../auth/caller.ts';
import type { Deprecation } from '../config/deprecation.ts';
import type { AppEnv } from './env.ts';

/** Audiences of routes, with the type of `caller` in their handlers. */
interface Callers {
  /** API keys. Embed tokens get a 404 (docs/conformance.md, 4.7). */
  backend: BackendCaller;
  /** Embed tokens. */
  end_user: EndUserCaller;
  /** API keys and embed tokens. */
  any: Caller;
  /** Everyone; credentials are ignored. */
  public: null;
  /** API keys, and everyone without a credential. A wrong credential is refused. */
  optional: BackendCaller | null;
}
export type Audience = keyof Callers;

type Schema = z.core.$ZodType;

/** Request headers that routes can list, with their JSON Schema. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'A repetition with the same key and body gets the first response, and has no other effect. Keys are remembered for a day.',
    minLength: 1,
    maxLength: 255,
    examples: ['7f1d1c0e-2f0b-4a3f-9a55-7c1f4f6c0c11'],
  },
  'If-Match': {
    description:
      'The request is refused with 412 unless this is the `draft_digest`, as an entity tag (RFC 9110, section 13.1.1).',
    examples: ['"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'],
  },
  'X-Upstream-Api-Key': {
    description:
      'Your own key at a provider of the model. The request then has no cost here, and counts against no limit of the model.',
    minLength: 1,
    maxLength: 512,
    examples: ['sk-your-key-at-the-provider'],
  },
  'Last-Event-ID': {
    description:
      'The stream starts after this event: the `id` of the last event received, or `0` for all events.',
    examples: ['0', '17'],
  },
} as const;

/**
 * Describes a route for the router and the API description. A route cannot be defined without it.
 */
export interface RouteDescription {
  method: 'get' | 'post' | 'delete';
  /** Path relative to the base URL, with `:name` for parameters. */
  path: string;
  audience: Audience;
  /** Group in the API description. */
  tag: string;
  /** Summary of one line. */
  summary: string;
  /** Details, in Markdown. */
  description?: string;
  /** Schema of the query; `types[]=a&types[]=b` is read as `types: ['a', 'b']`. */
  query?: Schema;
  /**
   * Schema of the query with an API key, on a route for any caller, if it has more parameters. `query`
   * must accept the same ones.
   */
  backendQuery?: Schema;
  /** Query parameters that are objects: `labels[a]=b` is read as `labels: { a: 'b' }`. */
  queryObjects?: readonly string[];
  /**
   * Schema of the JSON body, with a name: see `convertSchema`. Absent for a route that reads another
   * content type: see `accepts`.
   */
  body?: Schema;
  /** Name of the limit for the JSON body, in `limits.request`. By default `json_bytes`. */
  bodyLimit?: 'model_json_bytes';
  /**
   * True for a route that forwards or stores the body. Its handler gets the body as it was sent,
   * without changes by the schema, and as a value of `parseExact`.
   */
  exactBody?: true;
  /** Content type of a body that is not JSON. */
  accepts?: string;
  /** Request headers that the route uses, besides the credential. */
  headers?: readonly (keyof typeof requestHeaders)[];
  /**
   * Schema of the JSON response, with a name like that of `body`; null for a response that the API
   * description does not describe.
   */
  response: Schema | null;
  /** Content type of a response that is never or not always JSON. */
  responseType?: string;
  /**
   * True for a route that ends access. It has its own rate limit and database connections, so that
   * access can be ended under any load.
   */
  endsAccess?: true;
  /** Name of the operation in the audit record, if a command does the same. By default `routeName`. */
  auditName?: string;
  /** Why requests of API keys to a route that is not a GET are not in the audit record. */
  unaudited?: string;
  /** True for a route that may change at any time (docs/conformance.md, 9.4). */
  beta?: true;
  /** Deprecation of the route. The configuration can set it as well: `deprecations`. */
  deprecated?: Deprecation;
  /** Problem code for invalid input, set by the service. By default `VALIDATION_ERROR`. */
  invalidCode?: 'INVALID_PARAMS';
  /** Problem codes, besides those that every route has. */
  problems?: readonly ProblemCode[];
}

type OutputOf<Part> = Part extends Schema ? z.output<Part> : undefined;
type ResponseOf<Part> = Part extends Schema ? z.input<Part> | Response : object;

/** A request that the router has read and validated. */
export interface Call<Description extends RouteDescription> {
  c: Context<AppEnv>;
  caller: Callers[Description['audience']];
  query: OutputOf<Description['query']>;
  /** Undefined with an embed token. */
  backendQuery: OutputOf<Description['backendQuery']> | undefined;
  body: OutputOf<Description['body']>;
  /** Returns a parameter of the path, decoded. */
  param: (name: string) => string;
  /**
   * Throws if the credential has ended since the head of the request arrived. The router calls this
   * function after it has read a JSON body. A route that `accepts` another content type calls it
   * after reading the body, and before changing anything.
   */
  recheck: () => Promise<void>;
}

/** Returns the name of a route in `deprecations`, such as `GET /agent/v1/sessions/:id`. */
export function routeName({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path}`;
}

/** A route with its handler. */
export interface Route {
  description: RouteDescription;
  handle: (call: Call<RouteDescription>) => Promise<unknown>;
}

/**
 * Defines a route. The result of the handler is sent as JSON; it may be a value of `parseExact`. For
 * another response, the handler returns a `Response` from `c.body(…)`, which includes the headers set
 * by middleware; `new Response(…)` would not.
 */
export function route<const Description extends RouteDescription>(
  description: Description,
  handle: (
    call: Call<Description>,
  ) => ResponseOf<Description['response']> | Promise<ResponseOf<Description['response']>>,
): Route {
  return {
    description,
    // The router has validated the call against this description.
    handle: async (call) => handle(call as Call<Description>),
  };
}
