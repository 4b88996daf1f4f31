import type { DeltaType, LogEvent, ProblemCode } from '@inlay/protocol';

/** Decisions that every process has to hear of. The row is written first; this is the hint. */
export type Decision =
  /** One issuance ended: every stream that it opened ends with `code`. */
  | { kind: 'token_ended'; issuanceId: string; code: ProblemCode }
  /**
   * Every token that one end user had ended: the streams of `issuanceIds` end with `code`, and the
   * user's runs stop. A token issued afterwards is not among them.
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

/** What happens in a session, for the streams that read it and for the process that runs it. */
export type SessionMessage =
  /** These are in the log now, oldest first. */
  | { kind: 'session_events'; sessionId: string; events: readonly LogEvent[] }
  /** An event that is being produced grew: `text` follows the first `offset` characters. */
  | {
      kind: 'session_delta';
      sessionId: string;
      event: { id: string; type: DeltaType };
      offset: number;
      text: string;
    }
  /** A reader missed the beginning: whoever produces an event repeats it, from `offset` 0. */
  | { kind: 'session_joined'; sessionId: string };

/** Holds ids and what people say, and never a token or another secret. */
export type BusMessage = Decision | SessionMessage;

/** Where a message was published: by this process, or by another one. */
export type BusOrigin = 'here' | 'elsewhere';

export type BusListener = (message: BusMessage, from: BusOrigin) => void;

/** A session whose messages this process wants. */
export interface Followed {
  /** Resolves when they come, or when they cannot at this time. Never rejects. */
  readonly ready: Promise<void>;
  /** They need not come any more. Twice is fine. */
  end(): void;
}

/** Carries decisions between the parts of a process, and between processes. */
export interface Bus {
  /** `redis_down`: other processes hear nothing now, and find out from the store. */
  readonly state: 'in_process' | 'redis' | 'redis_down';
  /**
   * Resolves when this process' own listeners have heard it; other processes hear it soon, or not at
   * all. A listener that throws hinders no other.
   */
  publish(message: BusMessage): Promise<void>;
  /** Returns what ends the subscription. */
  subscribe(listener: BusListener): () => void;
  /** Asks for what other processes say of a session: they say too much for everybody to hear it all. */
  follow(sessionId: string): Followed;
  /** Whether something may have been said elsewhere since that moment that did not come here. */
  mayHaveMissed(since: number): boolean;
  /** Twice is fine. */
  close(): Promise<void>;
}
