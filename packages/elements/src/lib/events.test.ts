import { emit } from './events.ts';
import { expect, mount } from './testing/fixture.ts';

describe('what the chat tells', () => {
  it('is heard, with its details, in the shadow tree around it, by the document and the window', () => {
    const root = mount(document.createElement('div')).attachShadow({ mode: 'open' });
    const chat = root.appendChild(document.createElement('span'));
    const heard: string[] = [];
    const once = { once: true };
    root.addEventListener('inlay-announce', ({ detail }) => heard.push(`tree: ${detail.text}`));
    document.addEventListener('inlay-announce', ({ detail }) => heard.push(detail.text), once);
    window.addEventListener('inlay-announce', ({ detail }) => heard.push(detail.text), once);

    emit(chat, 'inlay-announce', { text: 'Copied.' });

    expect(heard).to.deep.equal(['tree: Copied.', 'Copied.', 'Copied.']);
  });
});
