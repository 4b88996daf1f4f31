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
  /** JSON that it answers with; null for an answer without JSON. */
  answer: Schema | null;
  /** Content type of an answer that is not JSON, or that can be another one as well. */
  answers?: string;
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
