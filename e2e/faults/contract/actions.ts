import * as fc from 'fast-check';
import { message, type SeenEvent, type userApi } from './user-api.ts';

/** Something that a user or a page does in a conversation. */
export type Action =
  | { readonly do: 'say'; readonly text: string; readonly key?: string }
  | { readonly do: 'stop' | 'allow' | 'deny' | 'tool_result' | 'rate' | 'archive' }
  | { readonly do: 'title'; readonly title: string };

const anyText = fc.constantFrom('Hi', 'Pay', 'Something else', 'Ünïcödé 👋');
export const anyActions: fc.Arbitrary<Action[]> = fc.array<Action>(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), text: anyText }) },
    // A message with a used key is a repetition, or a conflict if its text differs.
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('say' as const),
        text: anyText,
        key: fc.constantFrom('a', 'b'),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constantFrom('stop', 'allow', 'deny', 'tool_result', 'rate') }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('title' as const), title: anyText }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('archive' as const) }) },
  ),
  { minLength: 1, maxLength: 8 },
);

type UserApi = ReturnType<typeof userApi>;

/**
 * Performs an action, and waits for the end of the run that it starts, if any.
 *
 * @returns The kind of the action, the status, and the problem code or null.
 */
export async function perform(action: Action, ada: UserApi, id: string): Promise<unknown> {
  const before = await ada.log(id);
  const call = before.findLast(({ type }) => /^agent\.(?:custom_)?tool_use$/.test(type));
  const { status, body } = await sendAction(action, ada, id, call, before);
  const after = await ada.log(id);
  const newEvents = after.slice(before.length);
  if (newEvents.some(({ type }) => type === 'user.message') || isWaiting(before)) {
    const lastUserEvent = newEvents.findLast(({ type }) => type.startsWith('user.'));
    if (lastUserEvent) await untilIdleAfter(Number(lastUserEvent.seq), ada, id);
  }
  return [action.do, status, body.code ?? null];
}

function sendAction(
  action: Action,
  ada: UserApi,
  id: string,
  call: SeenEvent | undefined,
  log: readonly SeenEvent[],
) {
  const callId = call?.id ?? 'evt_none';
  switch (action.do) {
    case 'say':
      return ada.send(id, [message(action.text)], action.key);
    case 'stop':
      return ada.send(id, [{ type: 'user.interrupt' }]);
    case 'allow':
    case 'deny': {
      const type = 'user.tool_confirmation';
      const reason = action.do === 'deny' && { deny_message: 'Too much' };
      return ada.send(id, [{ type, tool_use_id: callId, result: action.do, ...reason }]);
    }
    case 'tool_result': {
      const content = [{ type: 'text', text: 'north' }];
      const type = 'user.custom_tool_result';
      return ada.send(id, [{ type, custom_tool_use_id: callId, content }]);
    }
    case 'rate': {
      const lastAnswer = log.findLast(({ type }) => type === 'agent.message');
      const body = { event_id: lastAnswer?.id ?? 'evt_none', rating: 'up' };
      return ada.call('POST', `/sessions/${id}/feedback`, { body });
    }
    case 'title':
      return ada.call('POST', `/sessions/${id}`, { body: { title: action.title } });
    case 'archive':
      return ada.call('POST', `/sessions/${id}/archive`, { body: {} });
  }
}

/** Whether the last run waits for the user or the page. */
function isWaiting(log: readonly SeenEvent[]): boolean {
  const last = log.findLast(({ type }) => type === 'session.status_idle');
  return (last?.stop_reason as { type?: string } | undefined)?.type === 'requires_action';
}

async function untilIdleAfter(seq: number, ada: UserApi, id: string): Promise<void> {
  for (let after = seq; ; ) {
    const newEvents = await ada.log(id, `order=asc&after_seq=${after}&wait=10`);
    if (newEvents.length === 0) throw new Error(`There was no event after event ${after}.`);
    if (newEvents.some(({ type }) => type === 'session.status_idle')) return;
    after = Number(newEvents.at(-1)?.seq);
  }
}

/**
 * Removes ids, times and the model usage, which differ between platforms, and replaces references to
 * events by their positions.
 */
export function normalizedLog(log: readonly SeenEvent[]): unknown[] {
  const positions = new Map(log.map(({ id }, index) => [id, `event ${index + 1}`]));
  // Times, ids and token counts differ between the platforms.
  return log.map(
    ({ processed_at, id, archived_at, model_usage, duration_ms, first_token_ms, ...event }) =>
      JSON.parse(
        JSON.stringify(event),
        (_, value: unknown) => positions.get(String(value)) ?? value,
      ),
  );
}
