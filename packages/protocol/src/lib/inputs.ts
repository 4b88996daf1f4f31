import * as z from 'zod/mini';
import { CardValues } from './cards.ts';
import { Mention, maxBlocks, TextBlock, UserContent } from './content.ts';

/** A message of the person. */
export const UserMessageInput = z.object({
  type: z.literal('user.message'),
  content: UserContent.check(z.minLength(1, 'must hold at least one block')),
  /**
   * The `user.message` of this session that it follows; null to begin anew. Left out, it follows the
   * latest. One that follows an earlier one is said instead of what followed that, which stays in
   * the log, and interrupts a run that goes on.
   */
  parent_id: z.optional(z.nullable(z.string())),
  /** Id of one of the agent's modes. */
  mode: z.optional(z.nullable(z.string())),
  mentions: z.optional(
    z.nullable(z.array(Mention).check(z.maxLength(20, 'must have at most 20 mentions'))),
  ),
});
export type UserMessageInput = z.infer<typeof UserMessageInput>;

/** Stops the run. Without one it does nothing, so that a late stop is never an error. */
export const UserInterruptInput = z.object({ type: z.literal('user.interrupt') });
export type UserInterruptInput = z.infer<typeof UserInterruptInput>;

/** Allows or denies a call, of a tool of the server or of the page, that waits for the user. */
export const UserToolConfirmationInput = z.object({
  type: z.literal('user.tool_confirmation'),
  tool_use_id: z.string(),
  result: z.enum(['allow', 'deny']),
  /** The reason, told to the agent. Only with `deny`. */
  deny_message: z.optional(z.nullable(z.string())),
  /** The `input_hash` of the call that the person has seen. Another one is a conflict. */
  input_hash: z.optional(z.nullable(z.string())),
});
export type UserToolConfirmationInput = z.infer<typeof UserToolConfirmationInput>;

/** What a tool of the host page answered. */
export const UserCustomToolResultInput = z.object({
  type: z.literal('user.custom_tool_result'),
  custom_tool_use_id: z.string(),
  content: z.optional(z.array(TextBlock).check(maxBlocks)),
  is_error: z.optional(z.nullable(z.boolean())),
});
export type UserCustomToolResultInput = z.infer<typeof UserCustomToolResultInput>;

/** A button of a card was pressed, or an item of its list chosen. */
export const UserCardActionInput = z.object({
  type: z.literal('user.card_action'),
  /** Id of the `agent.card`. */
  card_id: z.string(),
  /** One that the card has. */
  action: z.string(),
  values: z.optional(CardValues),
});
export type UserCardActionInput = z.infer<typeof UserCardActionInput>;

export const UserEventInput = z.discriminatedUnion('type', [
  UserMessageInput,
  UserInterruptInput,
  UserToolConfirmationInput,
  UserCustomToolResultInput,
  UserCardActionInput,
]);
export type UserEventInput = z.infer<typeof UserEventInput>;

/** `POST /agent/v1/sessions/{id}/events`. */
export const SendEventsRequest = z.object({
  events: z
    .array(UserEventInput)
    .check(
      z.minLength(1, 'must hold at least one event'),
      z.maxLength(20, 'must hold at most 20 events'),
    ),
});
export type SendEventsRequest = z.infer<typeof SendEventsRequest>;
