import type { Faults } from '../testing/faults.ts';
import type { Failure, RequestName } from '../testing/network.ts';
import { TestBed, type TestClientOptions } from '../testing/test-bed.ts';
import { answerMessage } from './agent.ts';

/** A session as the platform stores it. */
export interface StoredSession {
  readonly id: string;
  /** Id of the end user. */
  readonly user: string;
  readonly running: boolean;
  readonly log: readonly StoredEvent[];
}

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The platform, with direct access that network faults do not affect. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch;
  /** Sessions of all users, oldest first, as they were at the last `refresh`. */
  readonly sessions: readonly StoredSession[];
  refresh(): Promise<void>;
  issue(user: string, ttlSeconds: number): Promise<{ readonly id: string; readonly token: string }>;
  /** Ends a token, by its id. */
  expire(id: string): Promise<void>;
  revoke(id: string): Promise<void>;
  revokeAll(user: string): Promise<void>;
  block(user: string): Promise<void>;
  unblock(user: string): Promise<void>;
}

/** The requests that a fault applies to. */
export type Requests = 'all' | 'posts' | 'events' | 'streams' | 'config' | 'creations';

/** The network between the page and the platform. */
export interface Network
  extends Pick<
    Faults,
    | 'bufferStreams'
    | 'clear'
    | 'cutStreams'
    | 'delayRequests'
    | 'goOffline'
    | 'goOnline'
    | 'splitStreams'
  > {
  /** Disconnects each of the next streams after a number of bytes. */
  cutNextStreams(bytes: readonly number[]): void;
  loseResponse(requests: Requests): void;
  failNext(failure: Failure, requests: Requests, times: number): void;
}

/** Where a program runs: a page in a test bed, a network and a platform. */
export interface Environment {
  readonly bed: TestBed;
  readonly network: Network;
  readonly platform: Platform;
  /** Actions that only this environment supports. */
  readonly actions: Readonly<Record<string, (choice: number) => Promise<void> | void>>;
}

/** Creates an environment whose clients have these options. */
export type OpenEnvironment = (client: TestClientOptions) => Environment;

const requestNames: Readonly<Record<Requests, RequestName>> = {
  all: /^/,
  posts: /POST/,
  events: /events$/,
  streams: /stream/,
  config: 'GET /embed/config',
  creations: 'POST /sessions',
};

/** Opens an environment with the scripted platform. */
export const openScripted: OpenEnvironment = (client) => {
  const bed = new TestBed({ answer: answerMessage, client });
  const { platform, faults } = bed;
  return {
    bed,
    network: {
      bufferStreams: (isOn) => faults.bufferStreams(isOn),
      clear: () => faults.clear(),
      cutStreams: (options) => faults.cutStreams(options),
      cutNextStreams: (bytes) => faults.cutStreamsAfter((nth) => bytes[nth - 1] ?? null),
      delayRequests: (milliseconds) => faults.delayRequests(milliseconds),
      goOffline: () => faults.goOffline(),
      goOnline: () => faults.goOnline(),
      splitStreams: (isOn) => faults.splitStreams(isOn),
      loseResponse: (requests) => faults.loseResponse(requestNames[requests]),
      failNext: (failure, requests, times) =>
        faults.failNext(failure, requestNames[requests], times),
    },
    platform: {
      fetch: platform.fetch,
      get sessions() {
        return platform.sessions;
      },
      refresh: async () => {},
      issue: async (user, ttlSeconds) => platform.issue(user, { ttlSeconds }),
      expire: async (id) => platform.expire(id),
      revoke: async (id) => platform.revoke(id),
      revokeAll: async (user) => platform.revokeAll(user),
      block: async (user) => platform.block(user),
      unblock: async (user) => platform.unblock(user),
    },
    actions: {},
  };
};
