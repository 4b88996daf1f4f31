import type { Meter } from './clients/meter.ts';
import type { Tally } from './clients/tally.ts';

/** Argument of the call that starts a worker. */
export interface StartArgument {
  /** URL of the fault proxy in front of the platform. */
  proxy: string;
  /** URL of the platform itself. */
  platform: string;
  apiKey: string;
  users: string[];
}

/** Memory (in bytes) and resources of a process after a garbage collection. */
export interface ResourceSnapshot {
  heapUsed: number;
  rss: number;
  /** Number of active resources by type (`process.getActiveResourcesInfo()`). */
  resources: Record<string, number>;
}

/** Load of a process since the previous call of `load`, in milliseconds. */
export interface Load {
  /** Processor time of all threads. */
  processor: number;
  /** Longest event-loop delay. */
  delay: number;
}

/** Calls to the child processes. The platform process handles only `snapshot` and `load`. */
export interface Calls {
  start: { argument: StartArgument; result: null };
  snapshot: { argument: null; result: ResourceSnapshot & { meter?: Meter } };
  load: { argument: null; result: Load };
  /** Revokes the token of one user. */
  revoke: { argument: null; result: null };
  /** Sets every second browser online or offline. */
  network: { argument: { online: boolean }; result: null };
  /** Finishes every conversation within the timeout, and returns the findings. */
  finish: { argument: { timeoutMs: number }; result: Tally };
}
export type CallName = keyof Calls;

export interface CallMessage<Name extends CallName = CallName> {
  id: number;
  name: Name;
  argument: Calls[Name]['argument'];
}

export interface ReplyMessage {
  id: number;
  result?: unknown;
  error?: string;
}

export type Handlers = {
  [Name in CallName]?: (
    argument: Calls[Name]['argument'],
  ) => Promise<Calls[Name]['result']> | Calls[Name]['result'];
};
