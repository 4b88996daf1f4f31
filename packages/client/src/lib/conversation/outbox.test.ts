import { describe, expect, it } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import { setupBed } from '../testing/bed-setup.ts';
import { hostTokens } from '../tokens/sources/host.ts';

const sendRoute = 'POST /sessions/{id}/events';

/** Two open conversation objects of one session with one answered message. */
async function setupViews() {
  const bed = setupBed({ answer: 'Yes.' });
  const first = bed.client.conversation();
  await Promise.all([first.send('One'), bed.until(() => shownEntries(first).length === 2)]);
  const id = first.state.session?.id ?? '';
  const second = bed.client.conversation(id);
  await bed.until(() => shownEntries(second).length === 2);
  const sent = () =>
    bed.platform.sessions.flatMap(({ log }) =>
      log.flatMap((event) =>
        event.type === 'user.message' ? [JSON.stringify(event.content)] : [],
      ),
    );
  return { bed, id, first, second, sent };
}

const shownEntries = ({ state }: Conversation) =>
  state.entries.map((entry) =>
    entry.kind === 'user' ? `${entry.text} (${entry.delivery})` : entry.kind,
  );
const keyOf = ({ state }: Conversation, text: string) =>
  state.entries.find((entry) => entry.kind === 'user' && entry.text === text)?.key ?? '';

describe('Outbox', () => {
  it('shows an unsent message in every conversation object of its session, and sends it once', async () => {
    const { bed, first, second, sent } = await setupViews();
    bed.faults.hold(sendRoute);
    first.send('Two').catch(() => {});
    expect(shownEntries(second)).toEqual(['One (sent)', 'agent', 'Two (sending)']);

    bed.faults.release(sendRoute);
    await bed.until(() => shownEntries(first).length === 4 && shownEntries(second).length === 4);
    expect(shownEntries(second)).toEqual(['One (sent)', 'agent', 'Two (sent)', 'agent']);
    expect(shownEntries(first)).toEqual(shownEntries(second));
    expect(sent()).toHaveLength(2);
  });

  it('keeps a message queued when the user tries to reconnect while there is no token', async () => {
    let isDown = true;
    const bed = setupBed({
      client: {
        tokens: hostTokens(() => {
          if (isDown) throw new Error('the backend is down');
          return bed.platform.issue('ada').token;
        }),
      },
    });
    const conversation = bed.client.conversation();
    const sent = conversation.send('One');
    await bed.until(() => bed.client.auth.status === 'expired');
    await expect(bed.client.reconnect()).rejects.toMatchObject({ code: 'TOKEN_UNAVAILABLE' });
    await bed.clock.advance(10_000);
    expect(shownEntries(conversation)).toEqual(['One (sending)']);

    isDown = false;
    await bed.clock.advance(120_000);
    await sent;
    expect(shownEntries(conversation)).toEqual(['One (sent)', 'agent']);
  });

  it('sends the messages of two conversation objects in the order in which the user sent them', async () => {
    const { bed, first, second, sent } = await setupViews();
    bed.faults.failNext('network', sendRoute, 2);
    const sending = [first.send('Two'), second.send('Three'), first.send('Four')];
    await bed.clock.advance(60_000);
    await Promise.all(sending);
    expect(sent().map((content) => content.match(/One|Two|Three|Four/)?.[0])).toEqual([
      'One',
      'Two',
      'Three',
      'Four',
    ]);
  });

  it('keeps the branch that a conversation object shows when another object sends to the newest branch', async () => {
    const { bed, first, second } = await setupViews();
    await first.edit(keyOf(first, 'One'), 'Uno');
    await bed.until(() => shownEntries(second).join() === 'Uno (sent),agent');
    second.showVersion(keyOf(second, 'Uno'), 0);
    bed.faults.hold(sendRoute);
    first.send('Due').catch(() => {});
    expect(shownEntries(first)).toEqual(['Uno (sent)', 'agent', 'Due (sending)']);
    expect(shownEntries(second)).toEqual(['One (sent)', 'agent']);

    bed.faults.release(sendRoute);
    await bed.until(() => shownEntries(first).length === 4);
    expect(shownEntries(second)).toEqual(['One (sent)', 'agent']);
    second.showVersion(keyOf(second, 'One'), 1);
    expect(shownEntries(second)).toEqual(['Uno (sent)', 'agent', 'Due (sent)', 'agent']);
  });

  it('sends a message to the branch of an earlier edit in another conversation object', async () => {
    const { bed, first, second } = await setupViews();
    bed.faults.hold(sendRoute);
    first.edit(keyOf(first, 'One'), 'Uno').catch(() => {});
    second.send('Due').catch(() => {});
    expect(shownEntries(second)).toEqual(['Uno (sending)', 'Due (queued)']);

    bed.faults.release(sendRoute);
    await bed.until(() => shownEntries(second).length === 4);
    expect(shownEntries(second)).toEqual(['Uno (sent)', 'agent', 'Due (sent)', 'agent']);
    expect(shownEntries(first)).toEqual(shownEntries(second));
  });

  it('discards and retries failed messages of another conversation object', async () => {
    const { bed, first, second, sent } = await setupViews();
    bed.faults.failNext({ code: 'EMBED_BUDGET_EXCEEDED' }, sendRoute, 2);
    first.send('Two').catch(() => {});
    first.send('Three').catch(() => {});
    await bed.until(() => shownEntries(second).at(-1) === 'Three (failed)');

    second.discard(keyOf(second, 'Two'));
    expect(shownEntries(first).slice(2)).toEqual(['Three (failed)']);
    second.retry();
    await bed.until(() => shownEntries(first).includes('Three (sent)'));
    expect(sent()).toHaveLength(2);
  });

  it('does not discard a message that is being sent', async () => {
    const { bed, first, sent } = await setupViews();
    bed.faults.hold(sendRoute);
    const sending = first.send('Two');
    first.discard(keyOf(first, 'Two'));
    bed.faults.release(sendRoute);
    await sending;
    expect(shownEntries(first)).toContain('Two (sent)');
    expect(sent()).toHaveLength(2);
  });

  it('sends the pending message of a closed conversation object, and leaves no message unsent', async () => {
    const { bed, id, first, second, sent } = await setupViews();
    bed.faults.hold(sendRoute);
    const sending = first.send('Two');
    first.close();
    second.close();
    const third = bed.client.conversation(id);
    await bed.until(() => shownEntries(third).length === 3);
    expect(shownEntries(third).at(-1)).toBe('Two (sending)');
    third.close();

    bed.faults.release(sendRoute);
    await sending;
    expect(sent()).toHaveLength(2);
    expect(await bed.client.unsent()).toEqual([]);
  });

  it('keeps a failed message after the last conversation object is closed, and sends it when another is created', async () => {
    const { bed, id, first, second, sent } = await setupViews();
    bed.faults.failNext({ code: 'EMBED_BUDGET_EXCEEDED' }, sendRoute);
    await first.send('Two').catch(() => {});
    first.close();
    expect(await bed.client.unsent()).toEqual([]);
    second.close();
    expect(await bed.client.unsent()).toEqual([id]);

    const third = bed.client.conversation(id);
    await bed.until(() => shownEntries(third).includes('Two (sent)'));
    expect(sent()).toHaveLength(2);
  });
});
