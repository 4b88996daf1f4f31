import type { DeltaType, LogEvent, ProblemCode } from '@inlay/protocol';

/**
 * Changes that every process must apply. They are stored before they are published, so that a lost
 * message only delays their effect.
 */
export type StoredChange =
  /** An issuance has ended: all its streams end with `code`. */
  | { kind: 'token_ended'; issuanceId: string; code: ProblemCode }
  /**
   * All tokens of an end user were revoked: the streams of `issuanceIds` end with `code`, and the
   * user's runs are interrupted. Tokens issued later are not affected.
   */
  | {
      kind: 'user_ended';
      agentId: string;
      externalUserId: string;
      code: ProblemCode;
      issuanceIds: readonly string[];
    }
  /** An agent's settings were changed at run time. */
  | { kind: 'agent_changed'; agentId: string };

/** Messages about a session, for its streams and for the process that runs it. */
export type SessionMessage =
  /** These events were appended to the log, oldest first. */
  | { kind: 'session_events'; sessionId: string; events: readonly LogEvent[] }
  /** A partial event has grown: `text` follows the first `offset` characters. */
  | {
      kind: 'session_delta';
      sessionId: string;
      event: { id: string; type: DeltaType };
      offset: number;
      text: string;
    }
  /** A reader missed the start of a partial event: its producer sends it again, from `offset` 0. */
  | { kind: 'session_joined'; sessionId: string };

/**
 * A message on the bus. It contains ids and messages of the conversation, but never a token or
 * another secret.
 */
export type BusMessage = StoredChange | SessionMessage;

/** Whether a message was published by this process or by another one. */
export type BusOrigin = 'here' | 'elsewhere';

export type BusListener = (message: BusMessage, from: BusOrigin) => void;

/** A subscription to the messages of a session. */
export interface Subscription {
  /** Resolves when the subscription is active, or cannot be made at present. Never rejects. */
  readonly ready: Promise<void>;
  /** Ends the subscription. Idempotent. */
  end(): void;
}

/** Publishes messages inside a process and between processes. */
export interface Bus {
  /** `redis_down`: other processes receive no messages at present, and poll the store. */
  readonly state: 'in_process' | 'redis' | 'redis_down';
  /**
   * Resolves when the listeners of this process have been called. Other processes receive the
   * message soon, or not at all. An exception in one listener does not affect the others.
   */
  publish(message: BusMessage): Promise<void>;
  /** Adds a listener. Returns the function that removes it. */
  subscribe(listener: BusListener): () => void;
  /**
   * Subscribes to messages of other processes about a session. Without a subscription, these
   * messages are not delivered, because there are too many of them.
   */
  follow(sessionId: string): Subscription;
  /**
   * Whether a message of another process may have been missed since a time (ms since the epoch).
   */
  mayHaveMissed(since: number): boolean;
  /** Closes the bus. Idempotent. */
  close(): Promise<void>;
}
