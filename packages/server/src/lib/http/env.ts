import type { HttpBindings } from '@hono/node-server';
import type { Problem } from '@inlay/protocol';
import type { Caller } from '../auth/caller.ts';
import type { ApiError } from '../problems/api-error.ts';

/** What middleware leaves for the routes, per request. */
export interface AppEnv {
  /** Node's own request and response; absent under `app.request()` in tests. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** What it was refused with, for the log. */
    problem: Problem | undefined;
    /** The lane of the route that the request is for; undefined for the general one. */
    lane: 'stop' | undefined;
    /** Who is calling; null without a credential. */
    caller: Caller | null;
    /** What kind of credential was sent, whether or not it is good. */
    credential: 'none' | 'embed_token' | 'other';
    /** Why the credential that was sent is no good; the route decides whether it needs one. */
    authError: ApiError | null;
    /**
     * Takes over the request's concurrency slot, for a stream: without it, the slot is free as soon
     * as the handler returns. Call what it returns when the stream ends; twice is fine.
     */
    holdSlot: () => () => void;
  };
}
