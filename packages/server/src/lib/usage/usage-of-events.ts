import type { LogEvent, SessionOutcome } from '@inlay/protocol';
import { nextOutcome, outcomeOf } from '../events/outcome.ts';
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

/**
 * Returns the usage that events record, by the name of the model, which is empty for amounts without a
 * model call. The end of an answer is counted with its last model call, if that is among the events.
 *
 * @param outcome The session's `outcome` before the events.
 */
export function usageOfEvents(
  events: readonly LogEvent[],
  outcome: SessionOutcome | '' | null,
): Map<string, Amounts> {
  const usage = new Map<string, Amounts>();
  const add = (model: string, amounts: Amounts) =>
    usage.set(model, addAmounts(usage.get(model) ?? {}, amounts));
  let state = outcome;
  let lastModel = '';
  for (const event of events) {
    state = nextOutcome(state, event);
    if (event.type === 'user.message') add('', { user_messages: 1 });
    else if (event.type === 'span.model_request_end') {
      lastModel = event.model ?? '';
      add(lastModel, usageOfCall(event));
    } else if (event.type === 'session.status_idle' && outcomeOf[event.stop_reason.type] && state) {
      add(lastModel, { [amountOf[state]]: 1 });
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
