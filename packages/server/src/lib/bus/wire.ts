import { type DeltaType, deltaTypes, type ProblemCode, problems } from '@inlay/protocol';
import * as z from 'zod';
import type { BusMessage } from './bus.ts';

const id = z.string().min(1).max(200);
const code = z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]);

/** Events are not validated further: a newer version may have more types. */
const event = z.looseObject({ id, type: id, seq: z.int().positive() });

const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token_ended'), issuanceId: id, code }),
  z.object({
    kind: z.literal('user_ended'),
    agentId: id,
    externalUserId: id,
    code,
    issuanceIds: z.array(id),
  }),
  z.object({ kind: z.literal('agent_changed'), agentId: id }),
  z.object({ kind: z.literal('session_events'), sessionId: id, events: z.array(event) }),
  z.object({
    kind: z.literal('session_delta'),
    sessionId: id,
    event: z.object({ id, type: z.enum(deltaTypes as readonly [DeltaType, ...DeltaType[]]) }),
    offset: z.int().nonnegative(),
    text: z.string(),
  }),
  z.object({ kind: z.literal('session_joined'), sessionId: id }),
]);

/** Sent after a reconnection: messages that this process published in the meantime were lost. */
const wasAway = z.object({ kind: z.literal('was_away') });

const envelope = z.object({
  /**
   * The process that sent the message. Redis returns the message to this process as well, which
   * ignores it, because it notified its own listeners when it published the message.
   */
  from: z.string(),
  message: z.union([message, wasAway]),
});

export interface Envelope {
  readonly from: string;
  readonly message: BusMessage | { readonly kind: 'was_away' };
}

export function encode(sent: Envelope): string {
  return JSON.stringify(sent);
}

/** Parses a message; null if it is invalid. */
export function decode(text: string): Envelope | null {
  try {
    return envelope.parse(JSON.parse(text)) as Envelope;
  } catch {
    return null;
  }
}
