import { createTestBed } from '@inlay/client/testing';
import { expect, it } from 'vitest';

it('shows the answer to a question', async () => {
  const bed = createTestBed({ answer: 'It is **on its way**.' });
  const conversation = bed.client.conversation();

  await conversation.send('Where is my order?');
  await bed.until(() => !conversation.state.running);

  const [question, answer] = conversation.state.entries;
  expect(question).toMatchObject({ kind: 'user', text: 'Where is my order?', delivery: 'sent' });
  expect(answer).toMatchObject({ kind: 'agent', text: 'It is **on its way**.', progress: 'done' });
  await bed.close();
});
