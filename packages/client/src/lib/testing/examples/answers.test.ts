import { createTestBed, type TestBed, type TestBedOptions } from '@inlay/client/testing';
import { afterEach, expect, it } from 'vitest';

let bed: TestBed;
afterEach(() => bed.close());

async function startConversation(options: TestBedOptions, question = 'Hi') {
  bed = createTestBed(options);
  const conversation = bed.client.conversation();
  await conversation.send(question);
  return conversation;
}

it('shows a streamed answer', async () => {
  const conversation = await startConversation({
    answer: [{ think: 'An easy one.' }, { say: ['It is ', 'on its ', 'way.'], delay_ms: 50 }],
  });

  await bed.clock.advance(100);
  expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'It is on its ' });

  await bed.clock.advance(50);
  expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'It is on its way.' });
});

it('shows an answer that depends on the message', async () => {
  const conversation = await startConversation(
    {
      answer: ({ text }) => (text.includes('price') ? 'It is 3 €.' : 'You said: {text}'),
    },
    'Good morning',
  );
  await bed.until(() => !conversation.state.running);

  expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'You said: Good morning' });
});

it('asks for approval before a payment', async () => {
  const conversation = await startConversation({
    answer: [
      { call: 'pay', input: { cents: 300 }, permission: 'ask', result: 'receipt 17' },
      { say: 'Paid: {result}.', when: 'ok' },
      { say: 'Nothing was paid.', when: 'error' },
    ],
  });
  await bed.until(() => conversation.state.stopReason?.type === 'requires_action');
  const call = conversation.state.entries.find((entry) => entry.kind === 'tool');

  await conversation.confirmTool(call?.id ?? '', 'deny');
  await bed.until(() => !conversation.state.running);

  expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'Nothing was paid.' });
});

it('runs a tool of the page', async () => {
  const conversation = await startConversation({
    answer: [{ call: 'get_cart', runs_on: 'page' }, { say: 'In your cart: {result}.' }],
  });
  await bed.until(() => conversation.state.stopReason?.type === 'requires_action');
  const call = conversation.state.entries.find((entry) => entry.kind === 'tool');

  await conversation.submitToolResult(call?.id ?? '', 'two books');
  await bed.until(() => !conversation.state.running);

  expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'In your cart: two books.' });
});

it('keeps the partial text of a stopped answer', async () => {
  const conversation = await startConversation({
    answer: [{ say: 'Once upon a time' }, { hold: 'the rest' }, { say: ', and so on.' }],
  });
  await bed.until(() => conversation.state.entries.length === 2);

  conversation.stop();
  await bed.until(() => !conversation.state.running);

  const partial = { text: 'Once upon a time', progress: 'stopped' };
  expect(conversation.state.entries.at(-1)).toMatchObject(partial);
});

it('shows that an answer failed', async () => {
  const conversation = await startConversation({
    answer: [{ say: 'The order' }, { fail: 'The model failed.' }],
  });
  await bed.until(() => !conversation.state.running);

  expect(conversation.state.stopReason).toEqual({ type: 'retries_exhausted' });
  expect(conversation.state.entries.at(-1)).toMatchObject({ kind: 'notice', retryable: false });
});

it('shows events that the test sends', async () => {
  const conversation = await startConversation({ answer: null });
  const session = bed.platform.session();

  session.begin();
  const message = session.start();
  message.add('Half');
  await bed.until(() => conversation.state.entries.length === 2);
  message.add(' and whole.');
  message.finish();
  session.end();
  await bed.until(() => !conversation.state.running);

  expect(conversation.state.entries.at(-1)).toMatchObject({ text: 'Half and whole.' });
});
