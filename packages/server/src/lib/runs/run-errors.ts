import type { ModelError, ModelErrorKind } from '../agent-models/model.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { UsedUpBudget } from './spending.ts';

/**
 * A `session.error` event. Its text never quotes the model provider, whose messages may contain keys,
 * prompts or data of other customers. The server's log contains these messages.
 */
type ErrorDraft = EventDraft<'session.error'>;

type Status = 'retrying' | 'exhausted' | 'terminal';

/** A model request failed, or its response is no complete answer. */
export function modelError(
  { kind, retryable }: Pick<ModelError, 'kind' | 'retryable'>,
  willRetry: boolean,
): ErrorDraft {
  if (kind === 'failed') {
    return requestError(willRetry ? 'retrying' : retryable ? 'exhausted' : 'terminal');
  }
  return draft(...incompleteAnswers[kind]);
}

/** Type, status and message of the error of an incomplete answer. */
const incompleteAnswers: Record<
  Exclude<ModelErrorKind, 'failed'>,
  [type: string, status: Status, message: string]
> = {
  stalled: [
    'model_stalled_error',
    'exhausted',
    'The model stopped in the middle of its answer. Try again.',
  ],
  too_long: ['answer_too_long_error', 'exhausted', 'The answer was too long and was stopped.'],
  length: [
    'answer_cut_off_error',
    'exhausted',
    'The answer was cut off, because it reached the maximum length of the model.',
  ],
  filtered: ['answer_filtered_error', 'terminal', 'The model provider withheld the answer.'],
  empty: ['answer_empty_error', 'exhausted', 'The model gave no answer. Try again.'],
};

function requestError(status: Status): ErrorDraft {
  const messages = {
    retrying: 'The model did not respond. The request is repeated.',
    exhausted: 'The model did not complete its answer. Try again later.',
    terminal: 'The model rejected the request.',
  };
  return draft('model_request_failed_error', status, messages[status]);
}

/** A budget is used up. */
export function spendingError(budget: UsedUpBudget): ErrorDraft {
  const code = budget === 'session_budget' ? 'EMBED_BUDGET_EXCEEDED' : 'EMBED_QUOTA_EXCEEDED';
  const message =
    budget === 'session_budget'
      ? 'The budget of this conversation is spent.'
      : 'The daily quota is used up.';
  const error = draft('billing_error', 'terminal', message);
  return { ...error, error: { ...error.error, code } };
}

/** The agent was archived, or the agent or its version no longer exists. */
export function agentNotFoundError(): ErrorDraft {
  return draft(
    'agent_not_found_error',
    'terminal',
    'The agent of this conversation, or its version, is no longer available.',
  );
}

/** The run reached its maximum number of model calls. */
export function runLimitError(): ErrorDraft {
  return draft(
    'run_limit_error',
    'exhausted',
    'The agent made too many model calls and was stopped.',
  );
}

/** Too many processes died during the run. */
export function abandonedError(): ErrorDraft {
  return draft('run_failed_error', 'exhausted', 'The answer failed several times.');
}

function draft(type: string, status: Status, message: string): ErrorDraft {
  return { type: 'session.error', error: { type, message, retry_status: { type: status } } };
}
