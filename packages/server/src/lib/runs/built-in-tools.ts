import { Card, type FieldError } from '@inlay/protocol';
import * as z from 'zod';
import type { ModelTool } from '../agent-models/model.ts';
import type { Appearance } from '../config/agent.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { explain, toFieldError } from '../http/validate.ts';
import { checkCard } from './check-card.ts';

/**
 * A tool that the server provides. A successful call appends an `agent.card` or `agent.suggestions`
 * event instead of an `agent.tool_use`; a failed call appends an `agent.tool_use` and its error.
 */
export interface BuiltInTool extends ModelTool {
  /** The event that a call produces, or the errors in its input. */
  readonly call: (
    input: unknown,
  ) => EventDraft<'agent.card' | 'agent.suggestions'> | readonly FieldError[];
  /** The tool result for the model after a successful call. */
  readonly result: string;
}

export const showCard: BuiltInTool = {
  name: 'show_card',
  description:
    'Shows the user a card: a form to fill in, buttons, a list to choose from, a table, an image or a chart. What the user answers comes as their next message. Use it where it saves the user typing or shows figures better than words. Use a custom block only if you were told its name and data.',
  get inputSchema() {
    return jsonSchema(Card);
  },
  result: 'The card is shown. The user’s answer, if any, comes as their next message.',
  call(input) {
    const checked = checkCard(input);
    return 'errors' in checked ? checked.errors : { type: 'agent.card', card: checked.card };
  },
};

const Suggestions = z.object({
  prompts: z
    .array(
      z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
    )
    .min(1, 'must hold at least one prompt')
    .max(4, 'must hold at most 4 prompts')
    .describe('In the user’s words and language, each short enough for a button.'),
});

export const suggestReplies: BuiltInTool = {
  name: 'suggest_replies',
  description:
    'Offers the user up to four things to say next, as buttons. Call it once, together with your answer, where you can tell what they may want next.',
  get inputSchema() {
    return jsonSchema(Suggestions);
  },
  result: 'The suggestions are shown.',
  call(input) {
    const result = Suggestions.safeParse(input, { error: explain });
    if (!result.success) return result.error.issues.map((issue) => toFieldError(issue));
    const prompts = [...new Set(result.data.prompts)].map((label) => ({ label }));
    return { type: 'agent.suggestions', prompts };
  },
};

/** The built-in tools that are enabled for an agent. */
export function builtInTools({ cards, suggestions }: Appearance): BuiltInTool[] {
  return [...(cards ? [showCard] : []), ...(suggestions ? [suggestReplies] : [])];
}

const jsonSchemas = new Map<z.core.$ZodType, Record<string, unknown>>();

/** Converts a schema on first use, because conversions would take a part of the start time. */
function jsonSchema(schema: z.core.$ZodType): Record<string, unknown> {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const { $schema: _, ...withoutSchemaUrl } = z.toJSONSchema(schema, { io: 'input' });
  jsonSchemas.set(schema, withoutSchemaUrl);
  return withoutSchemaUrl;
}
