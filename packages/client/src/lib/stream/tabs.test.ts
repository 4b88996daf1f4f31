import { describe, expect, it } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import { setupBed } from '../testing/bed-setup.ts';
import type { TestBedOptions } from '../testing/test-bed.ts';
import './log-polling.ts';

async function setupTabs(count: number, options: TestBedOptions = {}) {
  const bed = setupBed(options);
  const session = bed.platform.createSession({ user: 'ada' });
  const tabs = [bed, ...Array.from({ length: count - 1 }, () => bed.openTab())];
  const conversations: Conversation[] = [];
  for (const tab of tabs) {
    conversations.push(tab.client.conversation(session.id));
    await bed.clock.advance(1_000);
  }
  return { bed, session, tabs, conversations };
}

const lastText = ({ state }: Conversation) => {
  const entry = state.entries.at(-1);
  return entry && 'text' in entry ? entry.text : null;
};

describe('several tabs of one user', () => {
  it('show the same events, each with its own token', async () => {
    const { bed, conversations } = await setupTabs(2, { answer: 'Yes: {text}' });
    const [firstConversation, secondConversation] = conversations as [Conversation, Conversation];
    void firstConversation.send('From the first');
    await bed.until(
      () =>
        lastText(firstConversation) === 'Yes: From the first' &&
        lastText(secondConversation) === lastText(firstConversation),
      200,
    );
    void secondConversation.send('From the second');
    await bed.until(
      () =>
        lastText(firstConversation) === 'Yes: From the second' &&
        lastText(secondConversation) === lastText(firstConversation),
      200,
    );

    expect(firstConversation.state.entries.map(({ id }) => id)).toEqual(
      secondConversation.state.entries.map(({ id }) => id),
    );
    expect(bed.getTokenCalls).toBe(2);
  });

  it('S28: open at most four streams, and all tabs receive events', async () => {
    const { bed, session, conversations } = await setupTabs(7);
    expect(bed.faults.openStreams).toBe(4);
    session.say('To all of you.');
    await bed.until(
      () => conversations.every((each) => lastText(each) === 'To all of you.'),
      5_000,
    );
    expect(conversations.map(({ state }) => state.connection)).toEqual(Array(7).fill('open'));
  });

  it('S28: give a stream to the tab that sends a message, and open no fifth stream when another tab is focused', async () => {
    const { bed, tabs, conversations } = await setupTabs(7, {
      answer: [{ say: ['word ', 'by ', 'word'], delay_ms: 100 }],
    });
    const first = conversations[0] as Conversation;
    void first.send('Hello');
    await bed.clock.advance(250);
    // Only streams deliver fragments.
    expect(lastText(first)).toBe('word by ');
    expect(bed.faults.openStreams).toBe(4);

    tabs[1]?.page.focus();
    await bed.clock.advance(0);
    expect(bed.faults.openStreams).toBe(4);
  });

  it('S28: give the slot of a closed tab to another tab', async () => {
    const { bed, session, tabs, conversations } = await setupTabs(5);
    expect(bed.faults.openStreams).toBe(4);
    tabs[4]?.client.close();
    await bed.clock.advance(0);
    expect(bed.faults.openStreams).toBe(4);
    session.say('Live');
    await bed.clock.advance(50);
    expect(conversations.slice(0, 4).map(lastText)).toEqual(Array(4).fill('Live'));
  });

  it('open no stream before they are shown', async () => {
    const bed = setupBed();
    const session = bed.platform.createSession({ user: 'ada' });
    bed.page.hide();
    const conversation = bed.client.conversation(session.id);
    await bed.clock.advance(10_000);
    expect(bed.faults.openStreams).toBe(0);
    session.say('While you were away.');
    bed.page.show();
    await bed.until(() => lastText(conversation) === 'While you were away.', 1_000);
  });

  it('send only claims and releases of slots to each other', async () => {
    const messages: unknown[] = [];
    const { bed, conversations } = await setupTabs(1, {
      client: {
        ports: {
          channel: () => ({ postMessage: (message) => messages.push(message), close() {} }),
        },
      },
    });
    void conversations[0]?.send('A secret');
    await bed.clock.advance(1_000);
    bed.client.close();
    expect(messages.length).toBeGreaterThan(1);
    for (const message of messages) {
      expect(message).toEqual({ id: expect.any(String), open: expect.any(Boolean) });
    }
  });
});
