import type { Diagnostic } from '../diagnostics.ts';
import type { InlayClient } from '../inlay-client.ts';
import type { AuthStatus } from '../tokens/auth-state.ts';

/**
 * An action or event of a client, for `@inlay/client/inspector`. Like a diagnostic, it never contains a
 * token, a code, a visitor's secret or the text of a message; ids are shortened.
 */
export type Activity =
  | Diagnostic
  /** The authentication status changed. */
  | { readonly type: 'auth'; readonly status: AuthStatus; readonly code: string | null }
  /** A request used a new token for the first time. `token` counts the tokens of the client from 1. */
  | { readonly type: 'token_issued'; readonly token: number }
  /** The platform reported the token's lifetime. `lifetimeMs`: the remaining validity in milliseconds. */
  | { readonly type: 'token_accepted'; readonly token: number; readonly lifetimeMs: number }
  /** The platform rejected the token: it expired, or it was revoked. */
  | { readonly type: 'token_rejected'; readonly token: number; readonly code: string }
  /** A request received a response, or failed. `status` is null if it failed. */
  | {
      readonly type: 'request';
      readonly method: string;
      /** Without the query, and with shortened ids. */
      readonly path: string;
      readonly status: number | null;
      /** The problem code; null for a success. */
      readonly code: string | null;
      /** Time until the response or the failure, in milliseconds. */
      readonly durationMs: number;
      /** Id of the request in the platform's log. */
      readonly requestId: string | null;
    }
  /** A stream was opened. `after` is the `seq` after which it resumes; null for a new session. */
  | { readonly type: 'stream_open'; readonly stream: number; readonly after: number | null }
  /** An event arrived on a stream. Live events have no `seq`. */
  | {
      readonly type: 'stream_event';
      readonly stream: number;
      readonly eventType: string;
      readonly seq: number | null;
    }
  /** A stream ended: the client or the platform closed it, or the connection broke. */
  | {
      readonly type: 'stream_end';
      readonly stream: number;
      readonly cause: 'client' | 'platform' | 'network';
      /** Time for which the stream was open, in milliseconds. */
      readonly durationMs: number;
    };

/** Receives the activity of every client of the page. */
export type ActivityListener = (activity: Activity, client: InlayClient) => void;

const listenersKey = Symbol.for('inlay.inspectors');
const globals = globalThis as { [listenersKey]?: Set<ActivityListener> };

/**
 * Returns the listeners of the inspectors on this page; undefined if none was opened. They are global,
 * because the chat of a script tag contains its own copy of this package.
 */
export function activityListeners(): Set<ActivityListener> | undefined {
  return globals[listenersKey];
}

/** Adds a listener. Returns the unsubscribe function. */
export function addActivityListener(listener: ActivityListener): () => void {
  globals[listenersKey] ??= new Set();
  const listeners = globals[listenersKey];
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && globals[listenersKey] === listeners) delete globals[listenersKey];
  };
}
