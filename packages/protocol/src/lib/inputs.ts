import * as z from 'zod/mini';
import { TextBlock, UserContent } from './content.ts';

/** A message of the person. */
export const UserMessageInput = z.object({
  type: z.literal('user.message'),
  content: UserContent.check(z.minLength(1, 'must hold at least one block')),
});
export type UserMessageInput = z.infer<typeof UserMessageInput>;

/** Stops the run. Without one it does nothing, so that a late stop is never an error. */
export const UserInterruptInput = z.object({ type: z.literal('user.interrupt') });
export type UserInterruptInput = z.infer<typeof UserInterruptInput>;

/** Allows or denies a tool call that waits for the person. */
export const UserToolConfirmationInput = z.object({
  type: z.literal('user.tool_confirmation'),
  tool_use_id: z.string(),
  result: z.enum(['allow', 'deny']),
  /** The reason, told to the agent. Only with `deny`. */
  deny_message: z.optional(z.nullable(z.string())),
});
export type UserToolConfirmationInput = z.infer<typeof UserToolConfirmationInput>;

/** What a tool of the host page answered. */
export const UserCustomToolResultInput = z.object({
  type: z.literal('user.custom_tool_result'),
  custom_tool_use_id: z.string(),
  content: z.optional(z.array(TextBlock)),
  is_error: z.optional(z.nullable(z.boolean())),
});
export type UserCustomToolResultInput = z.infer<typeof UserCustomToolResultInput>;

export const UserEventInput = z.discriminatedUnion('type', [
  UserMessageInput,
  UserInterruptInput,
  UserToolConfirmationInput,
  UserCustomToolResultInput,
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
