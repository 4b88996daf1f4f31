import { Metadata } from '@inlay/protocol';
import * as z from 'zod';
import { explain } from '../http/validate.ts';
import { ItemInput } from './items.ts';

const between = (minimum: number, maximum: number) => {
  const error = `must be between ${minimum} and ${maximum}`;
  return z.number().min(minimum, error).max(maximum, error);
};
const Text = z.string();
const Id = z.string().min(1, 'must not be empty');
const Flag = z.boolean().nullish();
const ObjectValue = z.looseObject({});
const Items = z.array(ItemInput);

/** A string or a list of items. The error of a Zod union would not name the invalid item. */
const Input = z
  .unknown()
  .optional()
  .transform((value, context) => {
    if (value === undefined || value === null || typeof value === 'string') return value;
    const { data, error } = Items.safeParse(value, { error: explain });
    if (data) return data;
    if (Array.isArray(value)) {
      for (const { path, message } of error.issues) {
        context.addIssue({ code: 'custom', path, message });
      }
    } else {
      context.addIssue({ code: 'custom', message: 'must be a string or a list of items' });
    }
    return z.NEVER;
  });

/**
 * Body of `POST /v1/responses`. Declared members are checked, all others are forwarded unchanged
 * (docs/conformance.md, 4.13.1).
 */
export const ResponseRequest = z
  .looseObject({
    model: z.string().min(1, 'must not be empty').max(256, 'must have at most 256 characters'),
    input: Input,
    instructions: Text.nullish(),
    background: Flag,
    conversation: z
      .union([Id, z.looseObject({ id: Id })], { error: 'must be the id of a conversation' })
      .nullish(),
    previous_response_id: Id.nullish(),
    store: Flag,
    stream: Flag,
    stream_options: ObjectValue.nullish(),
    context_management: z.array(ObjectValue).nullish(),
    include: z.array(Text).nullish(),
    max_output_tokens: z.int().min(1, 'must be at least 1').nullish(),
    max_tool_calls: z.int().min(1, 'must be at least 1').nullish(),
    metadata: z.nullish(Metadata),
    moderation: ObjectValue.nullish(),
    parallel_tool_calls: Flag,
    prompt: ObjectValue.nullish(),
    prompt_cache_key: Text.nullish(),
    prompt_cache_options: ObjectValue.nullish(),
    prompt_cache_retention: Text.nullish(),
    reasoning: z.looseObject({ effort: Text.nullish(), summary: Text.nullish() }).nullish(),
    safety_identifier: Text.nullish(),
    service_tier: Text.nullish(),
    temperature: between(0, 2).nullish(),
    text: z.looseObject({ format: z.looseObject({ type: Text }).nullish() }).nullish(),
    tool_choice: z.union([Text, ObjectValue], { error: 'must be a string or an object' }).nullish(),
    tools: z.array(z.looseObject({ type: Text })).nullish(),
    top_logprobs: z.int().min(0, 'must be at least 0').max(20, 'must be at most 20').nullish(),
    top_p: between(0, 1).nullish(),
    truncation: z.enum(['auto', 'disabled']).nullish(),
    user: Text.nullish(),
  })
  .superRefine((body, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (body.previous_response_id && body.conversation) {
      refuse('previous_response_id', 'cannot be combined with `conversation`');
    }
    if (body.background && body.store === false) {
      refuse('store', 'must not be false with `background`, which stores the response');
    }
  });
export type ResponseRequest = z.output<typeof ResponseRequest>;

/** Returns the id of the conversation that a request continues; null without one. */
export function conversationIdOf({ conversation }: ResponseRequest): string | null {
  return typeof conversation === 'string' ? conversation : (conversation?.id ?? null);
}
