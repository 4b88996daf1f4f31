import { Card } from '@inlay/protocol';
import { findCardErrors } from '@inlay/protocol/check-card';
import * as z from 'zod';

/** Result of a tool with sources or a card. */
export const ToolResult = z
  .strictObject({
    /** The result for the model, which gets neither the sources nor the card. */
    text: z.string(),
    /** Sources, listed below the answer that follows. Of a snippet, the first 1000 characters are kept. */
    citations: z
      .array(
        z.strictObject({
          title: z.string(),
          url: z
            .string()
            .max(2048, 'must have at most 2048 characters')
            .regex(/^https?:\/\//i, 'must begin with https:// or http://')
            .nullish(),
          snippet: z.string().nullish(),
        }),
      )
      .optional(),
    /** A card for the user. */
    card: z.optional(Card),
    /** Whether the call failed. */
    is_error: z.boolean().optional(),
  })
  .superRefine(({ card }, context) => {
    for (const { pointer, message } of card ? findCardErrors(card) : []) {
      context.addIssue({ code: 'custom', message, path: ['card', ...pointer.split('/').slice(1)] });
    }
  });
export type ToolResult = z.input<typeof ToolResult>;
