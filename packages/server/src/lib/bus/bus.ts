import type { DeltaType, LogEvent, ProblemCode } from '@inlay/protocol';

/** Decisions that every process has to hear of. The row is written first; this is the hint. */
export type BusMessage =
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
  | { kind: 'agent_changed'; agentId: string }
  | SessionMessage;

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

/** Carries decisions between the parts of a process, and between processes. */
export interface Bus {
  /** Resolves when the message was handed over. A listener that throws hinders no other. */
  publish(message: BusMessage): Promise<void>;
  /** Returns what ends the subscription. */
  subscribe(listener: (message: BusMessage) => void): () => void;
}
