import {
  type DeltaType,
  deltaTypes,
  ModelFailure,
  type ProblemCode,
  problems,
} from '@inlay/protocol';
import * as z from 'zod';
import type { BusMessage } from './bus.ts';

const Id = z.string().min(1).max(200);
/** In milliseconds since the epoch. */
const Time = z.number();
const Code = z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]);

/**
 * Other members of events are not validated, because a newer version may have other types of
 * events.
 */
const Event = z.looseObject({ id: Id, type: Id, seq: z.int().positive() });

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token_ended'), issuanceId: Id, code: Code, at: Time }),
  z.object({
    kind: z.literal('user_ended'),
    agentId: Id,
    externalUserId: Id,
    code: Code,
    issuanceIds: z.array(Id),
    at: Time,
  }),
  z.object({ kind: z.literal('agent_changed'), agentId: Id }),
  z.object({ kind: z.literal('webhooks_changed') }),
  z.object({ kind: z.literal('model_called'), agentId: Id, failure: z.nullable(ModelFailure) }),
  z.object({ kind: z.literal('session_events'), sessionId: Id, events: z.array(Event) }),
  z.object({
    kind: z.literal('session_delta'),
    sessionId: Id,
    event: z.object({ id: Id, type: z.enum(deltaTypes as readonly [DeltaType, ...DeltaType[]]) }),
    after: z.int().nonnegative(),
    offset: z.int().nonnegative(),
    text: z.string(),
  }),
  z.object({ kind: z.literal('session_joined'), sessionId: Id }),
]);

/**
 * Sent by a process after its reconnection: messages that it published before may have been lost.
 */
const WasAway = z.object({ kind: z.literal('was_away') });

const EnvelopeSchema = z.object({
  /**
   * Name of the process that sent the message. That process receives the message as well, and ignores
   * it: its own listeners were called when it published the message.
   */
  from: z.string(),
  message: z.union([Message, WasAway]),
});

export interface Envelope {
  readonly from: string;
  readonly message: BusMessage | { readonly kind: 'was_away' };
}

export function encodeEnvelope(envelope: Envelope): string {
  return JSON.stringify(envelope);
}

/** Parses a message; null if it is invalid. */
export function decodeEnvelope(text: string): Envelope | null {
  try {
    return EnvelopeSchema.parse(JSON.parse(text)) as Envelope;
  } catch {
    return null;
  }
}
