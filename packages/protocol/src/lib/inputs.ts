import * as z from 'zod/mini';
import { CardValues } from './cards.ts';
import { Mention, maxBlocks, TextBlock, UserContent } from './content.ts';

/** Sends a user message. */
export const UserMessageInput = z.object({
  type: z.literal('user.message'),
  content: UserContent.check(z.minLength(1, 'must hold at least one block')),
  /**
   * Id of the `user.message` that this message continues; null for a message without a predecessor.
   * By default, the end of the current branch. Any other value starts a new branch and interrupts the
   * current run; the previous branch stays in the log.
   */
  parent_id: z.optional(z.nullable(z.string())),
  /** Id of a mode (see `EmbedConfig.modes`). */
  mode: z.optional(z.nullable(z.string())),
  mentions: z.optional(
    z.nullable(z.array(Mention).check(z.maxLength(20, 'must have at most 20 mentions'))),
  ),
});
export type UserMessageInput = z.infer<typeof UserMessageInput>;

/** Stops the run. Has no effect without a run, so that a late interrupt is not an error. */
export const UserInterruptInput = z.object({ type: z.literal('user.interrupt') });
export type UserInterruptInput = z.infer<typeof UserInterruptInput>;

/** Allows or denies a pending tool call, of a server tool or a host page tool. */
export const UserToolConfirmationInput = z.object({
  type: z.literal('user.tool_confirmation'),
  tool_use_id: z.string(),
  result: z.enum(['allow', 'deny']),
  /** Reason for the agent. Only with `deny`. */
  deny_message: z.optional(z.nullable(z.string())),
  /** `input_hash` of the call that the user saw. A mismatch is a conflict. */
  input_hash: z.optional(z.nullable(z.string())),
});
export type UserToolConfirmationInput = z.infer<typeof UserToolConfirmationInput>;

/** Sends the result of a host page tool. */
export const UserCustomToolResultInput = z.object({
  type: z.literal('user.custom_tool_result'),
  custom_tool_use_id: z.string(),
  content: z.optional(z.array(TextBlock).check(maxBlocks)),
  is_error: z.optional(z.nullable(z.boolean())),
});
export type UserCustomToolResultInput = z.infer<typeof UserCustomToolResultInput>;

/** Sends a button press or list selection in a card. */
export const UserCardActionInput = z.object({
  type: z.literal('user.card_action'),
  /** Id of the `agent.card`; `welcome` for the welcome card of the agent, which starts an empty session. */
  card_id: z.string(),
  /** An action of the card's buttons or list items. */
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

/** Body of `POST /agent/v1/sessions/{id}/events`. */
export const SendEventsRequest = z.object({
  events: z
    .array(UserEventInput)
    .check(
      z.minLength(1, 'must hold at least one event'),
      z.maxLength(20, 'must hold at most 20 events'),
    ),
});
export type SendEventsRequest = z.infer<typeof SendEventsRequest>;
