import { createScriptedPlatform } from '@inlay/client/testing';
import { expect } from 'chai';
import '@inlay/elements/define';

describe('our page', () => {
  const platform = createScriptedPlatform({
    answer: ({ text }) => `You asked: ${text}`,
    config: { greeting: 'How can we help?' },
  });
  let restore = () => {};
  beforeEach(() => {
    restore = platform.interceptFetch();
  });
  afterEach(() => restore());

  it('shows the answer in the chat', async () => {
    const chat = document.createElement('inlay-chat');
    chat.baseUrl = platform.baseUrl;
    chat.getToken = () => platform.issue('ada').token;
    const ready = new Promise((resolve) => chat.addEventListener('inlay-ready', resolve));
    const answered = new Promise<string>((resolve) => {
      chat.addEventListener('inlay-answer', ({ detail }) => resolve(detail.text));
    });
    document.body.append(chat);

    await ready;
    await chat.sendMessage('Where is my order?');

    expect(await answered).to.equal('You asked: Where is my order?');
    chat.remove();
  });
});
