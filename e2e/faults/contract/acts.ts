import * as fc from 'fast-check';
import { message, type person, type SeenEvent } from './person.ts';

/** Something that a person or a page does in one conversation. */
export type Act =
  | { readonly do: 'say'; readonly text: string; readonly key?: string }
  | { readonly do: 'stop' | 'allow' | 'deny' | 'answer' | 'rate' | 'archive' }
  | { readonly do: 'title'; readonly title: string };

const text = fc.constantFrom('Hi', 'Pay', 'Something else', 'Ünïcödé 👋');
export const anyActs = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), text }) },
    // The same key twice is a repeat, or a conflict.
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('say' as const),
        text,
        key: fc.constantFrom('a', 'b'),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constantFrom('stop', 'allow', 'deny', 'answer', 'rate') }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('title' as const), title: text }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('archive' as const) }) },
  ),
  { minLength: 1, maxLength: 8 },
);

type Person = ReturnType<typeof person>;

/** Does something, waits until the agent has nothing more to do, and gives what was answered. */
export async function perform(act: Act, ada: Person, id: string): Promise<unknown> {
  const before = await ada.log(id);
  const call = before.findLast(({ type }) => /^agent\.(?:custom_)?tool_use$/.test(type));
  const { status, body } = await send(act, ada, id, call, before);
  const after = await ada.log(id);
  const news = after.slice(before.length);
  if (news.some(({ type }) => type === 'user.message') || waits(before)) {
    const mine = news.findLast(({ type }) => type.startsWith('user.'));
    if (mine) await idleAfter(Number(mine.seq), ada, id);
  }
  return [act.do, status, body.code ?? null];
}

function send(
  act: Act,
  ada: Person,
  id: string,
  call: SeenEvent | undefined,
  log: readonly SeenEvent[],
) {
  const callId = call?.id ?? 'evt_none';
  switch (act.do) {
    case 'say':
      return ada.send(id, [message(act.text)], act.key);
    case 'stop':
      return ada.send(id, [{ type: 'user.interrupt' }]);
    case 'allow':
    case 'deny': {
      const type = 'user.tool_confirmation';
      return ada.send(id, [{ type, tool_use_id: callId, result: act.do }]);
    }
    case 'answer': {
      const content = [{ type: 'text', text: 'north' }];
      const type = 'user.custom_tool_result';
      return ada.send(id, [{ type, custom_tool_use_id: callId, content }]);
    }
    case 'rate': {
      const said = log.findLast(({ type }) => type === 'agent.message');
      const body = { event_id: said?.id ?? 'evt_none', rating: 'up' };
      return ada.call('POST', `/sessions/${id}/feedback`, { body });
    }
    case 'title':
      return ada.call('POST', `/sessions/${id}`, { body: { title: act.title } });
    case 'archive':
      return ada.call('POST', `/sessions/${id}/archive`, { body: {} });
  }
}

/** Whether the last run waits for the person or the page. */
function waits(log: readonly SeenEvent[]): boolean {
  const last = log.findLast(({ type }) => type === 'session.status_idle');
  return (last?.stop_reason as { type?: string } | undefined)?.type === 'requires_action';
}

async function idleAfter(seq: number, ada: Person, id: string): Promise<void> {
  for (let after = seq; ; ) {
    const news = await ada.log(id, `order=asc&after_seq=${after}&wait=10`);
    if (news.length === 0) throw new Error(`Nothing came after event ${after}.`);
    if (news.some(({ type }) => type === 'session.status_idle')) return;
    after = Number(news.at(-1)?.seq);
  }
}

/** A log without what differs from one platform to the next: ids and times. */
export function toldStory(log: readonly SeenEvent[]): unknown[] {
  const places = new Map(log.map(({ id }, at) => [id, `event ${at + 1}`]));
  return log.map(({ processed_at, id, archived_at, model_usage, ...event }) =>
    JSON.parse(JSON.stringify(event), (_, value: unknown) => places.get(String(value)) ?? value),
  );
}
