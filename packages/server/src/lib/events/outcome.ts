import type { LogEvent, SessionOutcome } from '@inlay/protocol';

/** Outcomes by the stop reason of the `session.status_idle` that ends an answer. */
export const outcomeOf: Readonly<Record<string, Exclude<SessionOutcome, 'interrupted'>>> = {
  end_turn: 'answered',
  budget_reached: 'budget',
  retries_exhausted: 'failed',
};

/**
 * Returns the outcome of a session after an event, as in its column: empty while an answer is expected. An
 * interrupt has an effect only then, and the run that it ends is not an answer.
 */
export function nextOutcome(
  outcome: SessionOutcome | '' | null,
  event: LogEvent,
): SessionOutcome | '' | null {
  switch (event.type) {
    case 'user.message':
    case 'user.card_action':
    case 'user.tool_confirmation':
    case 'user.custom_tool_result':
      return '';
    case 'user.interrupt':
      return outcome === '' ? 'interrupted' : outcome;
    case 'session.status_idle': {
      const ended = outcomeOf[event.stop_reason.type];
      const isInterrupted = ended === 'answered' && outcome === 'interrupted';
      return ended && !isInterrupted ? ended : outcome;
    }
    default:
      return outcome;
  }
}
