import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Followed, follow as openStream } from '../testing/follow.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';

const idle = isType('session.status_idle');
const steady = {
  agent: { model: { provider: 'scripted' as const, delay_ms: 4, first_delay_ms: 10 } },
};
const durable = (events: Followed[]) => events.filter(({ data }) => 'seq' in data);

describe('resuming a stream', () => {
  it('S10: gives what comes after the id, and nothing twice', async () => {
    const { create, follow, log } = await setupConversation();
    const id = await create('code');
    await (await follow(id)).until(idle);

    const stream = await follow(id, { 'last-event-id': '2.7' });
    await stream.until(idle);

    expect(durable(stream.seen).map(({ data }) => data)).toEqual((await log(id)).slice(2));
  });

  it('shows a reader who joins in the middle the text so far, then what follows', async () => {
    const { create, follow } = await setupConversation(steady);
    const id = await create('table');
    const first = await follow(id);
    for (let n = 0; n < 5; n++) await first.until(isType('event_delta'));

    const second = await follow(id);
    await second.until(idle);

    const started = second.seen.findIndex(isType('event_start'));
    expect(textOf([second.seen[started + 1] as Followed]).length).toBeGreaterThan(10);
    const whole = second.seen.find(isType('agent.message'))?.data;
    expect(JSON.stringify(whole)).toContain(JSON.stringify(textOf(second.seen)).slice(1, -1));
  });

  it('begins with what is new where no id is sent', async () => {
    const { create, follow, send, token, url } = await setupConversation();
    const id = await create('hello');
    await (await follow(id)).until(idle);

    const stream = await openStream(`${url}/agent/v1/sessions/${id}/events/stream`, token);
    await send(id, [{ type: 'user.message', content: [{ type: 'text', text: 'again' }] }]);
    await stream.until(idle);
    stream.cut();

    expect(stream.seen[0]?.data).toMatchObject({ type: 'user.message' });
    expect(JSON.stringify(stream.seen[0]?.data)).toContain('again');
    expect(stream.seen.some(isType('event_delta'))).toBe(false);
  });

  it.each(['garbage', '-1', '1e9', '999999', '7.x', 'é', 'x'.repeat(8000)])(
    'S09: replays everything for an id that this log never had: %.10s',
    async (lastEventId) => {
      const { create, follow, log } = await setupConversation();
      const id = await create('hello');
      await (await follow(id)).until(idle);

      const stream = await follow(id, { 'last-event-id': lastEventId });
      await stream.until(idle);

      expect(durable(stream.seen).map(({ data }) => data)).toEqual(await log(id));
    },
  );

  it('S09: finds nothing for another user, whatever the id', async () => {
    const { create, follow, issue } = await setupConversation();
    const id = await create('hello');
    const { token } = await issue('eve');

    const stream = await follow(id, { 'last-event-id': '1' }, token);

    expect(stream.response.status).toBe(404);
  });

  it('S01, S03: any cuts and any returns give what an uncut stream gives', async () => {
    const { create, follow, log } = await setupConversation(steady);
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    const readers = fc.array(cuts, { minLength: 1, maxLength: 3 });

    await fc.assert(
      fc.asyncProperty(readers, fc.constantFrom('think', 'table', 'rtl'), async (plans, word) => {
        const id = await create(word);
        const transcripts = await Promise.all(
          plans.map((plan) => readWithCuts(plan, (headers) => follow(id, headers))),
        );

        const events = await log(id);
        for (const transcript of transcripts) {
          expect(transcript.events).toEqual(events);
          expect(transcript.previews).toEqual([]);
        }
      }),
      { numRuns: 6 },
    );
  }, 60_000);
});

/**
 * Reads as a client does: events by `seq`, previews by id, `event_start` begins a preview anew. A
 * preview must be a beginning of the event that follows it; what disagrees is in `previews`.
 */
async function readWithCuts(
  plan: readonly number[],
  open: (
    headers: Record<string, string>,
  ) => ReturnType<Awaited<ReturnType<typeof setupConversation>>['follow']>,
) {
  const events: unknown[] = [];
  const previews: string[] = [];
  const preview = new Map<unknown, string>();
  let lastId = '0';
  let done = false;
  for (let round = 0; !done; round++) {
    const stream = await open({ 'last-event-id': lastId });
    const budget = plan[round] ?? Number.POSITIVE_INFINITY;
    for (let read = 0; read < budget && !done; read++) {
      const { id, data } = await stream.until(() => true);
      if (id !== undefined) lastId = id;
      if (data.type === 'event_start') preview.set((data.event as { id: string }).id, '');
      if (data.type === 'event_delta') {
        preview.set(data.event_id, preview.get(data.event_id) + textOf([{ id, data } as Followed]));
      }
      if (!('seq' in data)) continue;
      events.push(data);
      const shown = preview.get(data.id);
      const text = (data.content as { text: string }[] | undefined)?.[0]?.text ?? '';
      if (shown !== undefined && shown !== text) previews.push(`${shown} / ${text}`);
      done = data.type === 'session.status_idle';
    }
    stream.cut();
  }
  return { events, previews };
}

function textOf(events: readonly Followed[]): string {
  return events
    .filter(isType('event_delta'))
    .map(({ data }) => (data.delta as { content: { text: string } }).content.text)
    .join('');
}
