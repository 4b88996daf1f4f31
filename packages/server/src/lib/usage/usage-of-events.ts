import type { LogEvent, SessionOutcome } from '@inlay/protocol';
import {
  type Amounts,
  addAmounts,
  answerBounds,
  answerColumns,
  bucketOf,
  firstTokenBounds,
  firstTokenColumns,
} from './amounts.ts';

/** The amount in which the end of an answer is counted. */
const amountOf = {
  answered: 'answers',
  failed: 'answers_failed',
  budget: 'refused_by_quota',
  interrupted: 'interrupted',
} as const satisfies Record<SessionOutcome, keyof Amounts>;

const outcomeOf: Readonly<Record<string, SessionOutcome>> = {
  end_turn: 'answered',
  budget_reached: 'budget',
  retries_exhausted: 'failed',
};

/**
 * Returns the usage that events record, by the name of the model; what belongs to no model call stands
 * under the empty name. The end of an answer is counted with its last model call, if that is among the
 * events.
 *
 * @param outcome The session's `outcome` before the events.
 */
export function usageOfEvents(
  events: readonly LogEvent[],
  outcome: string | null,
): Map<string, Amounts> {
  const usage = new Map<string, Amounts>();
  const add = (model: string, amounts: Amounts) =>
    usage.set(model, addAmounts(usage.get(model) ?? {}, amounts));
  let state = outcome;
  let lastModel = '';
  for (const event of events) {
    if (event.seq === 1) add('', { sessions: 1 });
    switch (event.type) {
      case 'user.message':
        add('', { user_messages: 1 });
        state = '';
        break;
      case 'user.card_action':
      case 'user.tool_confirmation':
      case 'user.custom_tool_result':
        state = '';
        break;
      case 'user.interrupt':
        if (state === '') state = 'interrupted';
        break;
      case 'span.model_request_end':
        lastModel = event.model ?? '';
        add(lastModel, usageOfCall(event));
        break;
      case 'session.status_idle': {
        const ended = outcomeOf[event.stop_reason.type];
        if (!ended) break;
        const isInterrupted = ended === 'answered' && state === 'interrupted';
        const result = isInterrupted ? 'interrupted' : ended;
        add(lastModel, { [amountOf[result]]: 1 });
        state = result;
        break;
      }
    }
  }
  return usage;
}

function usageOfCall({
  model_usage: tokens,
  spent_microcents: spent = 0,
  duration_ms: duration,
  first_token_ms: firstToken,
  is_error: isError,
}: LogEvent<'span.model_request_end'>): Amounts {
  return {
    input_tokens: tokens.input_tokens,
    output_tokens: tokens.output_tokens,
    spent_microcents: spent,
    ...(duration !== undefined &&
      !isError && { [bucketOf(answerColumns, answerBounds, duration)]: 1 }),
    ...(firstToken != null && {
      [bucketOf(firstTokenColumns, firstTokenBounds, firstToken)]: 1,
    }),
  };
}
