import type { HttpBindings } from '@hono/node-server';
import type { Problem } from '@inlay/protocol';
import type { Caller } from '../auth/caller.ts';
import type { ApiError } from '../problems/api-error.ts';
import type { Family } from '../upstreams/families.ts';

/** Values that middleware sets for each request. */
export interface AppEnv {
  /**
   * Request and response of Node; absent with `app.request()` in tests. `isConsole` is true on the port
   * of the console.
   */
  Bindings: Partial<HttpBindings> & { isConsole?: boolean };
  Variables: {
    requestId: string;
    /**
     * The family of a compatible prefix, which determines the credential header and the error body;
     * undefined for other paths.
     */
    family: Family | undefined;
    /** The problem that the request was refused with, for the log. */
    problem: Problem | undefined;
    /** Whether the route of the request ends access. */
    endsAccess: boolean;
    /** Whether the path is below that of the model service, which OpenAI clients can use. */
    isModelRoute: boolean;
    /** The caller; null without a valid credential. */
    caller: Caller | null;
    /** Finds the caller again, for routes that continue long after authentication. */
    identify: () => Promise<Caller | null>;
    /** Kind of the credential, valid or not. */
    credential: 'none' | 'embed_token' | 'other';
    /** Why the credential is invalid; the route decides whether it needs a credential. */
    authError: ApiError | null;
    /**
     * Keeps the concurrency slot of the request after the handler has returned, for a stream. Without
     * this call, the slot is then released. Returns the release function, which is idempotent.
     */
    holdSlot: () => () => void;
  };
}
