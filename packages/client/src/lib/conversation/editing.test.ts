import { describe, expect, it } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import { setupBed } from '../testing/bed-setup.ts';
import { FakeStore } from '../testing/fake-store.ts';
import type { TestBedOptions } from '../testing/test-bed.ts';

/** A conversation with two user messages and their answers. */
async function setup(options: TestBedOptions = {}) {
  const bed = setupBed({ answer: [{ say: 'You said {text}.' }], ...options });
  const conversation = bed.client.conversation();
  const untilIdle = () => bed.until(() => !conversation.state.running);
  for (const text of ['One', 'Two']) {
    await conversation.send(text);
    await untilIdle();
  }
  const bodies = () =>
    bed.platform.requests
      .filter(({ name }) => name === 'POST /sessions/{id}/events')
      .map(({ body }) => (body as { events: Record<string, unknown>[] }).events[0]);
  return { bed, conversation, untilIdle, bodies };
}

const shownEntries = ({ state }: Conversation) =>
  state.entries.map((entry) => {
    if (entry.kind !== 'user') return entry.kind === 'agent' ? `> ${entry.text}` : entry.kind;
    const { text, delivery, versions } = entry;
    const position = versions ? ` ${versions.at + 1}/${versions.of}` : '';
    return `${text}${position}${delivery === 'sent' ? '' : ` (${delivery})`}`;
  });
const keyOf = ({ state }: Conversation, text: string) =>
  state.entries.find((entry) => entry.kind === 'user' && entry.text === text)?.key ?? '';

describe('a conversation with edits', () => {
  it('replaces an earlier message, and keeps both versions', async () => {
    const { conversation, untilIdle } = await setup();
    const promise = conversation.edit(keyOf(conversation, 'One'), 'Uno');
    expect(shownEntries(conversation)).toEqual(['Uno 2/2 (sending)']);
    await promise;
    await untilIdle();
    expect(shownEntries(conversation)).toEqual(['Uno 2/2', '> You said Uno.']);

    conversation.showVersion(keyOf(conversation, 'Uno'), 0);
    expect(shownEntries(conversation)).toEqual([
      'One 1/2',
      '> You said One.',
      'Two',
      '> You said Two.',
    ]);
  });

  it('requests another answer when `edit` gets the key of an answer and no content', async () => {
    const { conversation, untilIdle } = await setup();
    const answer = conversation.state.entries.at(-1)?.key ?? '';
    await conversation.edit(answer);
    await untilIdle();
    expect(shownEntries(conversation).slice(2)).toEqual(['Two 2/2', '> You said Two.']);
    expect(conversation.state.entries.at(-1)?.key).not.toBe(answer);
  });

  it('stops an answer in progress, and keeps its partial text in the earlier branch', async () => {
    const { bed, conversation, untilIdle } = await setup();
    bed.platform.answer = [{ say: 'Well' }, { hold: 'on' }, { say: ' then.' }];
    await conversation.send('Three');
    await bed.until(() => shownEntries(conversation).at(-1) === '> Well');
    bed.platform.answer = 'Good.';
    await conversation.edit(keyOf(conversation, 'Three'), 'Drei');
    await untilIdle();
    expect(shownEntries(conversation).slice(4)).toEqual(['Drei 2/2', '> Good.']);
    conversation.showVersion(keyOf(conversation, 'Drei'), 0);
    expect(shownEntries(conversation).slice(4)).toEqual(['Three 1/2', '> Well']);
    expect(conversation.state.entries.at(-1)).toMatchObject({ progress: 'stopped' });
  });

  it('sends the next message to the branch that is shown', async () => {
    const { conversation, untilIdle, bodies } = await setup();
    await conversation.edit(keyOf(conversation, 'Two'), 'Zwei');
    await untilIdle();
    conversation.showVersion(keyOf(conversation, 'Zwei'), 0);
    const entry = conversation.state.entries.find(({ key }) => key === keyOf(conversation, 'Two'));
    await conversation.send('Three');
    await untilIdle();
    expect(bodies().at(-1)).toMatchObject({ parent_id: entry?.id });
    expect(shownEntries(conversation).slice(2)).toEqual([
      'Two 1/2',
      '> You said Two.',
      'Three',
      '> You said Three.',
    ]);
    await conversation.send('Four');
    expect(bodies().at(-1)).not.toHaveProperty('parent_id');
  });

  it('sends messages that were queued offline to the branch in which they were written', async () => {
    const { bed, conversation, untilIdle } = await setup();
    await conversation.edit(keyOf(conversation, 'Two'), 'Zwei');
    await untilIdle();
    conversation.showVersion(keyOf(conversation, 'Zwei'), 0);
    bed.goOffline();
    const sends = [conversation.send('Three'), conversation.send('Four')];
    await bed.clock.advance(1_000);
    expect(shownEntries(conversation).slice(2)).toEqual([
      'Two 1/2',
      '> You said Two.',
      'Three (queued)',
      'Four (queued)',
    ]);
    conversation.showVersion(keyOf(conversation, 'Two'), 1);
    expect(shownEntries(conversation).slice(2)).toEqual(['Zwei 2/2', '> You said Zwei.']);
    bed.goOnline();
    await Promise.all(sends);
    await untilIdle();

    conversation.showVersion(keyOf(conversation, 'Zwei'), 0);
    expect(shownEntries(conversation).slice(2)).toEqual([
      'Two 1/2',
      '> You said Two.',
      'Three',
      '> You said Three.',
      'Four',
      '> You said Four.',
    ]);
  });

  it('continues the branch after a failed message, and appends an edit of that message', async () => {
    const { bed, conversation, untilIdle } = await setup();
    await conversation.edit(keyOf(conversation, 'Two'), 'Zwei');
    await untilIdle();
    conversation.showVersion(keyOf(conversation, 'Zwei'), 0);
    bed.faults.failNext({ status: 400 }, 'POST /sessions/{id}/events');
    await expect(conversation.send('Three')).rejects.toThrow();
    await conversation.send('Four');
    await untilIdle();
    expect(shownEntries(conversation).slice(2)).toEqual([
      'Two 1/2',
      '> You said Two.',
      'Four',
      '> You said Four.',
      'Three (failed)',
    ]);
    await conversation.edit(keyOf(conversation, 'Three'), 'Drei');
    await untilIdle();
    expect(shownEntries(conversation).slice(4)).toEqual([
      'Four',
      '> You said Four.',
      'Drei',
      '> You said Drei.',
    ]);
  });

  it('retries a failed message with the same body, although a later message is before it now', async () => {
    const { bed, conversation, untilIdle } = await setup();
    await conversation.edit(keyOf(conversation, 'Two'), 'Zwei');
    await untilIdle();
    conversation.showVersion(keyOf(conversation, 'Zwei'), 0);
    bed.faults.failNext({ status: 400 }, 'POST /sessions/{id}/events');
    await expect(conversation.send('Three')).rejects.toThrow();
    await conversation.send('Four');
    await untilIdle();
    conversation.retry(keyOf(conversation, 'Three'));
    await untilIdle();
    const attempts = bed.platform.requests.filter(({ body }) =>
      JSON.stringify(body)?.includes('Three'),
    );
    expect(attempts).toHaveLength(2);
    const [first, second] = attempts.map(({ body, headers }) => [body, headers['idempotency-key']]);
    expect(second).toEqual(first);
  });

  it('shows the replaced message again when a failed edit is discarded', async () => {
    const { bed, conversation } = await setup();
    bed.faults.failNext({ status: 400 }, 'POST /sessions/{id}/events');
    await expect(conversation.edit(keyOf(conversation, 'Two'), 'Zwei')).rejects.toThrow();
    expect(shownEntries(conversation).at(-1)).toBe('Zwei 2/2 (failed)');
    conversation.discard(keyOf(conversation, 'Zwei'));
    expect(shownEntries(conversation)).toEqual([
      'One',
      '> You said One.',
      'Two',
      '> You said Two.',
    ]);
  });

  it('sends an edit of a queued message after that message', async () => {
    const { bed, conversation, untilIdle } = await setup();
    bed.goOffline();
    const first = conversation.send('Three');
    const second = conversation.edit(keyOf(conversation, 'Three'), 'Drei');
    expect(shownEntries(conversation).at(-1)).toBe('Drei 2/2 (queued)');
    bed.goOnline();
    await Promise.all([first, second]);
    await untilIdle();
    expect(shownEntries(conversation).slice(4)).toEqual(['Drei 2/2', '> You said Drei.']);
  });

  it('sends an edit of a queued message to its branch, although the session did not exist then', async () => {
    const bed = setupBed();
    const conversation = bed.client.conversation();
    bed.goOffline();
    const sends = [conversation.send('One'), conversation.send('Two')];
    sends.push(conversation.edit(keyOf(conversation, 'Two'), 'Zwei'));
    bed.goOnline();
    await Promise.all(sends);
    await bed.until(() => !conversation.state.running);
    expect(shownEntries(conversation).at(-2)).toBe('Zwei 2/2');
  });

  it('sends an unsent edit to its branch after a reload', async () => {
    const store = new FakeStore();
    const { bed, conversation } = await setup({ client: { draftStore: store } });
    const id = conversation.state.session?.id;
    await bed.client.config();
    bed.goOffline();
    conversation.edit(keyOf(conversation, 'Two'), 'Zwei', { mode: null }).catch(() => {});
    await bed.clock.advance(100);
    bed.client.close();
    bed.goOnline();
    const after = bed.openTab().client.conversation(id);
    await bed.until(() => after.state.entries.some((entry) => entry.kind === 'agent'));
    await bed.until(() => shownEntries(after).at(-1) === '> You said Zwei.');
    expect(shownEntries(after)).toEqual(['One', '> You said One.', 'Zwei 2/2', '> You said Zwei.']);
  });

  it('rejects an edit with an unknown key or empty content', async () => {
    const { conversation } = await setup();
    await expect(conversation.edit('unknown', 'Hm')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('edit(key)'),
    });
    await expect(conversation.edit(keyOf(conversation, 'One'), '')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  });
});
