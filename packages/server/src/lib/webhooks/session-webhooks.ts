import type { LogEvent, WebhookEventType } from '@inlay/protocol';
import { outcomeOf } from '../events/outcome.ts';
import type { SessionOwner } from '../events/search-index.ts';
import type { WebhookDraft } from './webhook-outbox.ts';

/** Events about the end of an answer, by its outcome. */
const answerTypes = {
  answered: 'answer.completed',
  failed: 'answer.failed',
  budget: 'budget.reached',
} as const;

/**
 * Returns the events for webhook endpoints about events that were appended to a session's log.
 *
 * @param isNew Whether the transaction creates the session.
 */
export function sessionWebhooks(
  sessionId: string,
  owner: SessionOwner,
  events: readonly LogEvent[],
  isNew: boolean,
): WebhookDraft[] {
  const draft = (
    type: WebhookEventType,
    position: number,
    data: WebhookDraft['data'] = {},
  ): WebhookDraft => ({
    type,
    agentId: owner.agent_id,
    externalUserId: owner.external_user_id,
    session: { id: sessionId, position },
    data,
  });
  const drafts = events.flatMap((event) => {
    const type = typeOf(event);
    if (type === undefined) return [];
    const role = type === 'message.created' && {
      role: event.type === 'user.message' ? 'user' : 'agent',
    };
    return [draft(type, 2 * event.seq, { event_id: event.id, ...role })];
  });
  return isNew ? [draft('session.created', 0), ...drafts] : drafts;
}

function typeOf(event: LogEvent): WebhookEventType | undefined {
  switch (event.type) {
    case 'user.message':
    case 'agent.message':
      return 'message.created';
    case 'session.status_idle': {
      const outcome = outcomeOf[event.stop_reason.type];
      return outcome && answerTypes[outcome];
    }
    case 'session.status_terminated':
      return 'session.terminated';
    default:
      return undefined;
  }
}
