import type { ProblemCode } from '@inlay/protocol';
import type { Context } from 'hono';
import type * as z from 'zod';
import type { BackendCaller, Caller, EndUserCaller } from '../auth/caller.ts';
import type { Deprecation } from '../config/deprecation.ts';
import type { AppEnv } from './env.ts';

/** Who may call a route, and so whom its handler gets as `caller`. */
interface Callers {
  /** API keys. Embed tokens find nothing here (service reference, section 4.7). */
  backend: BackendCaller;
  /** Embed tokens. */
  end_user: EndUserCaller;
  /** API keys and embed tokens. */
  any: Caller;
  /** Everyone. What a credential says is not looked at. */
  public: null;
}
export type Audience = keyof Callers;

type Schema = z.core.$ZodType;

/** Request headers that routes can name, with their rules as JSON Schema has them. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'A repeat with the same key and body gets the first answer, and nothing is done again. Remembered for a day.',
    minLength: 1,
    maxLength: 255,
    examples: ['7f1d1c0e-2f0b-4a3f-9a55-7c1f4f6c0c11'],
  },
  'Last-Event-ID': {
    description:
      'Place in the log after which the stream begins: the `id` of the last event that was read, or `0` for all of them.',
    examples: ['0', '17'],
  },
} as const;

/** What a route is, for the router and for the API description: without it no route can exist. */
export interface RouteDescription {
  method: 'get' | 'post' | 'delete';
  /** Under the base address, with `:name` for parameters. */
  path: string;
  audience: Audience;
  /** Heading of the group that it is listed under. */
  tag: string;
  /** What it does, in one line. */
  summary: string;
  /** What one has to know beyond that, in Markdown. */
  description?: string;
  /** Query, after lists are gathered: `types[]=a&types[]=b` reads as `types: ['a', 'b']`. */
  query?: Schema;
  /** JSON body. A route that reads its body in another way leaves it out and says so in `accepts`. */
  body?: Schema;
  /** Content type of a body that is not JSON. */
  accepts?: string;
  /** Request headers that mean something here, beyond the credential. */
  headers?: readonly (keyof typeof requestHeaders)[];
  /** JSON that it answers with; null for an answer without JSON. */
  answer: Schema | null;
  /** Content type of an answer that is not JSON, or that can be another one as well. */
  answers?: string;
  /** `stop`: ends access. Such calls have a rate limit of their own, beside the key's. */
  lane?: 'stop';
  /** False for what is never rate limited. */
  limited?: false;
  /** Announces that it will go. The configuration can do so, too: `deprecations`. */
  deprecated?: Deprecation;
  /** Codes it refuses with, beyond those that every route has. */
  problems?: readonly ProblemCode[];
}

type OutputOf<Part> = Part extends Schema ? z.output<Part> : undefined;
type AnswerOf<Part> = Part extends Schema ? z.input<Part> | Response : Response;

/** One request, read and checked. */
export interface Call<Description extends RouteDescription> {
  c: Context<AppEnv>;
  caller: Callers[Description['audience']];
  query: OutputOf<Description['query']>;
  body: OutputOf<Description['body']>;
  /** A parameter of the path, decoded. */
  param: (name: string) => string;
  /**
   * Throws the problem of a credential that has ended since the head of the request arrived. It has
   * been called where the router reads the body; a route that `accepts` another body calls it after
   * reading that, before it changes anything.
   */
  recheck: () => Promise<void>;
}

/** A route, ready for the table. */
export interface Route {
  description: RouteDescription;
  handle: (call: Call<RouteDescription>) => Promise<unknown>;
}

/**
 * A route is its description and its handler. What the handler returns is sent as JSON. A handler
 * that answers in another way returns a `Response` made with `c.body(…)`: that carries the headers
 * which middleware prepared, as `new Response(…)` would not.
 */
export function route<const Description extends RouteDescription>(
  description: Description,
  handle: (
    call: Call<Description>,
  ) => AnswerOf<Description['answer']> | Promise<AnswerOf<Description['answer']>>,
): Route {
  return {
    description,
    // The description is what the call was read by, so that the call fits it.
    handle: async (call) => handle(call as Call<Description>),
  };
}
