import type { UserContent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import type { PageStore } from '../page-store.ts';
import { setupBed } from '../testing/bed-setup.ts';
import type { TestBed, TestBedOptions } from '../testing/test-bed.ts';

/** A tab's storage, which survives reloads of the page. */
function tabStorage() {
  const values = new Map<string, string>();
  const store: PageStore = {
    read: (key) => values.get(key) ?? null,
    write: (key, text) => values.set(key, text),
    remove: (key) => values.delete(key),
  };
  return { values, store, text: () => JSON.stringify([...values]) };
}

function setup(options: TestBedOptions = {}) {
  const storage = tabStorage();
  const bed = setupBed({
    answer: 'Yes.',
    ...options,
    client: { draftStore: storage.store, ...options.client },
  });
  /** Closes the client, and opens the page again with the same storage. */
  const reload = () => {
    bed.client.close();
    return bed.openTab().client;
  };
  return { bed, reload, ...storage };
}

const shownEntries = ({ state }: Conversation) =>
  state.entries.map((entry) =>
    entry.kind === 'user' ? `${entry.text} (${entry.delivery})` : entry.kind,
  );
const messages = (bed: TestBed) =>
  bed.platform.sessions.flatMap(({ log }) => log.filter(({ type }) => type === 'user.message'));

describe('an unsent message', () => {
  it('survives a reload while offline, and is sent once', async () => {
    const { bed, reload } = setup();
    await bed.client.config();
    bed.goOffline();
    const before = bed.client.conversation();
    before.send('Are you there?').catch(() => {});
    before.send('Hello?').catch(() => {});
    await bed.clock.advance(1_000);
    expect(shownEntries(before)).toEqual(['Are you there? (queued)', 'Hello? (queued)']);

    const client = reload();
    bed.goOnline();
    const unsent = client.unsent();
    await bed.clock.advance(1_000);
    expect(await unsent).toEqual([null]);
    const after = client.conversation();
    await bed.until(() => shownEntries(after).filter((line) => line === 'agent').length === 2);

    expect(shownEntries(after).slice(0, 1)).toEqual(['Are you there? (sent)']);
    expect(bed.platform.sessions).toHaveLength(1);
    expect(messages(bed)).toHaveLength(2);
    expect(await client.unsent()).toEqual([]);
  });

  it('S26: is not repeated after a reload when its response was lost', async () => {
    const { bed, reload } = setup();
    const before = bed.client.conversation();
    await Promise.all([before.send('One'), bed.until(() => shownEntries(before).length === 2)]);
    const id = before.state.session?.id ?? '';
    bed.faults.loseResponse('POST /sessions/{id}/events', 5);
    before.send('Two').catch(() => {});
    await bed.until(() => messages(bed).length === 2);

    const client = reload();
    bed.faults.clear();
    const after = client.conversation(id);
    await bed.clock.advance(10_000);
    expect(shownEntries(after)).toEqual(['One (sent)', 'agent', 'Two (sent)', 'agent']);
    expect(messages(bed)).toHaveLength(2);
  });

  it('keeps its files, mode and mentions after a reload', async () => {
    const { bed, reload } = setup();
    await bed.client.config();
    bed.goOffline();
    const content: UserContent = [
      { type: 'text', text: 'Look at this, @Bob' },
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
    ];
    const mentions = [{ id: 'user_2', label: 'Bob' }];
    bed.client
      .conversation()
      .send(content, { mode: 'fast', mentions })
      .catch(() => {});
    await bed.clock.advance(100);

    const after = reload();
    bed.goOnline();
    expect(await after.unsent()).toEqual([null]);
    const conversation = after.conversation();
    await bed.until(() => conversation.state.entries.length > 0);

    expect(conversation.state.entries[0]).toMatchObject({ content, mode: 'fast', mentions });
  });

  it('T32: is stored without a token', async () => {
    const { bed, text } = setup();
    await bed.client.config();
    bed.goOffline();
    const conversation = bed.client.conversation();
    conversation.setDraft('A draft');
    conversation.send('A message').catch(() => {});
    await bed.clock.advance(100);
    expect(text()).toContain('A message');
    expect(text()).not.toMatch(/et_|vs_|Bearer/);
  });

  it('is deleted when another user signs in', async () => {
    const { bed, reload, values } = setup();
    await bed.client.config();
    bed.goOffline();
    const before = bed.client.conversation();
    before.send('For Ada alone').catch(() => {});
    before.setDraft('Ada’s draft');
    await bed.clock.advance(100);

    bed.user = 'linus';
    const client = reload();
    bed.goOnline();
    const after = client.conversation();
    const unsent = client.unsent();
    await bed.clock.advance(10_000);
    expect(await unsent).toEqual([]);
    expect(shownEntries(after)).toEqual([]);
    expect(after.draft).toBe('');
    expect([...values.values()].join()).not.toContain('Ada');
    expect(messages(bed)).toEqual([]);
  });

  it('is deleted when the user discards it', async () => {
    const { bed, reload } = setup();
    const before = bed.client.conversation();
    await Promise.all([before.send('One'), bed.until(() => shownEntries(before).length === 2)]);
    bed.faults.failNext({ code: 'VALIDATION_ERROR' }, 'POST /sessions/{id}/events');
    before.send('Not like this').catch(() => {});
    await bed.until(() => shownEntries(before).at(-1) === 'Not like this (failed)');
    const key = before.state.entries.at(-1)?.key ?? '';
    before.discard(key);
    const unsent = reload().unsent();
    await bed.clock.advance(1_000);
    expect(await unsent).toEqual([]);
  });
});

describe('a draft', () => {
  it('survives a reload, separately in each conversation', async () => {
    const { bed, reload } = setup();
    const earlier = bed.client.conversation();
    await Promise.all([earlier.send('One'), bed.until(() => shownEntries(earlier).length === 2)]);
    const id = earlier.state.session?.id ?? '';
    earlier.setDraft('more about one');
    bed.client.conversation().setDraft('something new');

    const client = reload();
    let notifications = 0;
    const [old, fresh] = [client.conversation(id), client.conversation()];
    fresh.subscribe(() => {
      notifications += 1;
    });
    await bed.clock.advance(1_000);
    expect([old.draft, fresh.draft]).toEqual(['more about one', 'something new']);
    expect(notifications).toBeGreaterThan(0);
  });

  it('precedes text that is typed after a reload and before the user is known', async () => {
    const { bed, reload } = setup();
    await bed.client.config();
    bed.client.conversation().setDraft('My order is 10482.');

    const fresh = reload().conversation();
    fresh.setDraft('Where is it?');
    await bed.clock.advance(1_000);

    expect(fresh.draft).toBe('My order is 10482.\nWhere is it?');
    const later = reload().conversation();
    await bed.clock.advance(1_000);
    expect(later.draft).toBe('My order is 10482.\nWhere is it?');
  });

  it('is empty for a conversation whose id is the name of an inherited member', async () => {
    const { bed } = setup();
    await bed.client.config();

    expect(bed.client.conversation('constructor').draft).toBe('');
  });

  it('stays with its conversation when the session is created', async () => {
    const { bed } = setup();
    const conversation = bed.client.conversation();
    const sent = conversation.send('First');
    conversation.setDraft('second, half writ');
    await bed.until(() => shownEntries(conversation).length === 2);
    await sent;
    expect(conversation.draft).toBe('second, half writ');
    expect(bed.client.conversation().draft).toBe('');
  });

  it('stays with its conversation when another is opened before the session is created', async () => {
    const { bed } = setup();
    await bed.client.config();
    const conversation = bed.client.conversation();
    const sent = conversation.send('First');
    conversation.setDraft('second, half writ');
    conversation.close();
    const next = bed.client.conversation();
    expect(next.draft).toBe('');
    next.setDraft('something else');
    await sent;

    const id = bed.platform.sessions[0]?.id;
    expect(bed.client.conversation(id).draft).toBe('second, half writ');
    expect(next.draft).toBe('something else');
  });

  it('stays with unsent messages when another conversation is opened and the page is reloaded', async () => {
    const { bed, reload } = setup();
    await bed.client.config();
    bed.goOffline();
    const conversation = bed.client.conversation();
    conversation.send('First').catch(() => {});
    conversation.setDraft('second, half writ');
    conversation.close();

    bed.goOnline();
    const resumed = reload().conversation();
    await bed.until(() => shownEntries(resumed).length === 2);
    expect(resumed.draft).toBe('second, half writ');
    const later = reload().conversation();
    await bed.clock.advance(1_000);
    expect(later.draft).toBe('');
  });

  it('survives the revocation of a token that is not replaced', async () => {
    const { bed } = setup();
    const conversation = bed.client.conversation();
    await Promise.all([
      conversation.send('One'),
      bed.until(() => shownEntries(conversation).length === 2),
    ]);
    conversation.setDraft('half a thou');
    bed.user = null;
    bed.platform.revokeAll('ada');
    await bed.until(() => bed.client.auth.status === 'revoked');
    expect(conversation.draft).toBe('half a thou');
  });

  it('is kept in memory when the storage throws', async () => {
    const throwError = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const { bed } = setup({
      client: { draftStore: { read: throwError, write: throwError, remove: throwError } },
    });
    const conversation = bed.client.conversation();
    conversation.setDraft('still here');
    await bed.clock.advance(1_000);
    expect(bed.client.conversation().draft).toBe('still here');
  });

  it('is deleted synchronously by reset()', async () => {
    const { bed, values } = setup();
    await bed.client.config();
    const conversation = bed.client.conversation();
    conversation.setDraft('Mine');
    await bed.clock.advance(100);
    expect(values.size).toBe(1);
    bed.client.reset();
    expect(values.size).toBe(0);
    expect(conversation.draft).toBe('');
  });

  it('is dropped when the stored value is corrupt', async () => {
    for (const corrupt of [
      '',
      'null',
      '[]',
      '{"subject":"ada"}',
      '{"subject":"ada","drafts":{},"unsent":[1]}',
    ]) {
      const { bed, store, values } = setup();
      await bed.client.config();
      const first = bed.client.conversation();
      first.setDraft('x');
      await bed.clock.advance(100);
      const [key = ''] = values.keys();
      store.write(key, corrupt);
      const { client } = bed.openTab();
      const conversation = client.conversation();
      await bed.clock.advance(1_000);
      expect([corrupt, conversation.draft, shownEntries(conversation)]).toEqual([corrupt, '', []]);
    }
  });
});

describe('a conversation that is opened again with unsent messages', () => {
  it('shows a message while it is being sent, and after it is sent', async () => {
    const { bed } = setup();
    const first = bed.client.conversation();
    await Promise.all([first.send('One'), bed.until(() => shownEntries(first).length === 2)]);
    const id = first.state.session?.id ?? '';
    bed.faults.hold('POST /sessions/{id}/events');
    first.send('Two').catch(() => {});
    await bed.clock.advance(100);
    first.close();
    const second = bed.client.conversation(id);
    await bed.clock.advance(1_000);
    expect(shownEntries(second)).toEqual(['One (sent)', 'agent', 'Two (sending)']);
    bed.faults.release('POST /sessions/{id}/events');
    await bed.clock.advance(1_000);
    expect(shownEntries(second)).toEqual(['One (sent)', 'agent', 'Two (sent)', 'agent']);
    expect(messages(bed)).toHaveLength(2);
  });

  it('shows the unsent messages of all earlier conversation objects', async () => {
    const { bed } = setup();
    const first = bed.client.conversation();
    await Promise.all([first.send('One'), bed.until(() => shownEntries(first).length === 2)]);
    const id = first.state.session?.id ?? '';
    bed.faults.failNext(
      { code: 'RATE_LIMITED', retryAfterSeconds: 20 },
      'POST /sessions/{id}/events',
    );
    first.send('Two').catch(() => {});
    first.send('And two').catch(() => {});
    await bed.clock.advance(100);
    first.close();
    const second = bed.client.conversation(id);
    await bed.clock.advance(100);
    bed.faults.hold('POST /sessions/{id}/events');
    second.send('Three').catch(() => {});
    await bed.clock.advance(100);
    second.close();
    const third = bed.client.conversation(id);
    await bed.clock.advance(100);
    expect(shownEntries(third).filter((entry) => entry !== 'agent')).toEqual([
      'One (sent)',
      'Two (sending)',
      'And two (queued)',
      'Three (queued)',
    ]);
    bed.faults.release('POST /sessions/{id}/events');
    await bed.clock.advance(60_000);
    expect(shownEntries(third).filter((entry) => entry !== 'agent')).toEqual([
      'One (sent)',
      'Two (sent)',
      'And two (sent)',
      'Three (sent)',
    ]);
  });

  it('sends a message that failed in a closed conversation before the user was known', async () => {
    const { bed } = setup();
    bed.faults.failNext({ status: 503 }, 'GET /embed/config', 2);
    bed.faults.failNext({ code: 'EMBED_BUDGET_EXCEEDED' }, 'POST /sessions');
    const conversation = bed.client.conversation();
    await conversation.send('One').catch(() => {});
    conversation.close();
    await bed.until(() => bed.client.auth.externalUserId === 'ada');
    await bed.clock.settle();

    const next = bed.client.conversation();
    await bed.until(() => shownEntries(next).includes('One (sent)'));
  });

  it('sends new messages after the unsent messages', async () => {
    const { bed } = setup();
    const first = bed.client.conversation();
    await Promise.all([first.send('One'), bed.until(() => shownEntries(first).length === 2)]);
    const id = first.state.session?.id ?? '';
    bed.faults.failNext('network', 'POST /sessions/{id}/events', 3);
    first.send('Two').catch(() => {});
    await bed.clock.advance(10);
    first.close();
    const second = bed.client.conversation(id);
    await bed.clock.advance(10);
    second.send('Three').catch(() => {});
    await bed.until(() => messages(bed).length === 3);
    expect(messages(bed).map((event) => JSON.stringify(event).match(/One|Two|Three/)?.[0])).toEqual(
      ['One', 'Two', 'Three'],
    );
  });

  it('shows a failed message, and sends it once on retry', async () => {
    const { bed, reload } = setup();
    const first = bed.client.conversation();
    await Promise.all([first.send('One'), bed.until(() => shownEntries(first).length === 2)]);
    const id = first.state.session?.id ?? '';
    bed.faults.failNext({ code: 'EMBED_BUDGET_EXCEEDED' }, 'POST /sessions/{id}/events', 2);
    first.send('Two').catch(() => {});
    await bed.clock.advance(1_000);
    expect(shownEntries(first).at(-1)).toBe('Two (failed)');
    first.close();
    const second = bed.client.conversation(id);
    await bed.clock.advance(1_000);
    expect(shownEntries(second).at(-1)).toBe('Two (failed)');
    second.retry();
    await bed.until(() => messages(bed).length === 2);
    const after = reload().conversation(id);
    await bed.clock.advance(10_000);
    expect(shownEntries(after)).toEqual(['One (sent)', 'agent', 'Two (sent)', 'agent']);
  });
});
