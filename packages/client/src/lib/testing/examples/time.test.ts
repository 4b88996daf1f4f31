import { createTestBed, FakeStore } from '@inlay/client/testing';
import { expect, it } from 'vitest';

it('continues after the laptop slept for two hours', async () => {
  const bed = createTestBed({ answer: [{ say: ['Good ', 'night.'], delay_ms: 5_000 }] });
  const conversation = bed.client.conversation();
  await conversation.send('Good night');

  await bed.sleep(2 * 3_600_000);
  await bed.until(() => conversation.state.stopReason !== null);

  expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'Good night.' });
  await bed.close();
});

it('shows the same conversation in two tabs', async () => {
  const bed = createTestBed();
  const conversation = bed.client.conversation();
  await conversation.send('Hi');
  await bed.until(() => !conversation.state.running);

  const tab = bed.openTab();
  const inOtherTab = tab.client.conversation(conversation.state.session?.id);
  await inOtherTab.send('From the other tab');
  await bed.until(() => conversation.state.entries.length === 4 && !conversation.state.running);

  const textsOf = ({ state }: typeof inOtherTab) =>
    state.entries.map((entry) => 'text' in entry && entry.text);
  expect(textsOf(conversation)).toEqual(textsOf(inOtherTab));
  await bed.close();
});

it('keeps unsent messages across a reload', async () => {
  const draftStore = new FakeStore();
  const bed = createTestBed({ client: { draftStore } });
  const conversation = bed.client.conversation();
  await conversation.send('Hi');
  await bed.until(() => !conversation.state.running);
  bed.goOffline();
  conversation.send('Sent from the train').catch(() => {});
  await bed.until(() => conversation.state.connection === 'offline');

  bed.client.close();
  bed.goOnline();
  const tab = bed.openTab();
  const reloaded = tab.client.conversation(conversation.state.session?.id);
  await bed.until(() => reloaded.state.entries.length === 4);

  expect(reloaded.state.entries[2]).toMatchObject({
    text: 'Sent from the train',
    delivery: 'sent',
  });
  await bed.close();
});
