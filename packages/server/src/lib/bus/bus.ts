import type { DeltaType, LogEvent, ModelFailure, ProblemCode } from '@inlay/protocol';

/**
 * Messages about changes that every process must apply. A change is stored before it is published, so
 * that a lost message only delays its effect.
 */
export type StoredChange =
  /** An issuance has ended: all its streams end with `code`. `at` is in milliseconds since the epoch. */
  | { kind: 'token_ended'; issuanceId: string; code: ProblemCode; at: number }
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
      at: number;
    }
  /** An agent's settings were changed at run time. */
  | { kind: 'agent_changed'; agentId: string }
  /** A webhook endpoint was created, changed or deleted. */
  | { kind: 'webhooks_changed' };

/** Messages about a session, for its streams and for the process that executes its run. */
export type SessionMessage =
  /** These events were appended to the log, oldest first. */
  | { kind: 'session_events'; sessionId: string; events: readonly LogEvent[] }
  /**
   * Text was appended to a partial event, after its first `offset` characters. `after` is the `seq` of the
   * last event of the log when the partial event began.
   */
  | {
      kind: 'session_delta';
      sessionId: string;
      event: { id: string; type: DeltaType };
      after: number;
      offset: number;
      text: string;
    }
  /**
   * A new stream has missed the start of a partial event: the process that produces the event sends
   * its text again, from `offset` 0.
   */
  | { kind: 'session_joined'; sessionId: string };

/**
 * The last model call of an agent failed; null: it succeeded, and the one before failed. It is not stored,
 * because only a diagnosis reads it.
 */
export interface ModelCalled {
  kind: 'model_called';
  agentId: string;
  failure: ModelFailure | null;
}

/**
 * A message on the bus. It contains ids and events of the conversation, but never a token or another
 * secret.
 */
export type BusMessage = StoredChange | SessionMessage | ModelCalled;

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
  /** `redis_down`: processes receive no messages of each other at present, and poll the store. */
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
   * Whether this process may have missed a message of another process.
   *
   * @param since Start of the checked time, in milliseconds since the epoch.
   */
  mayHaveMissed(since: number): boolean;
  /** Closes the bus. Idempotent. */
  close(): Promise<void>;
}
