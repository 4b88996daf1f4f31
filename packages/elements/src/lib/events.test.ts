import { emit, type InlayEventDetails } from './events.ts';
import { expect, mount } from './testing/fixture.ts';

type Name = keyof InlayEventDetails;
type RequestName = Extract<Name, `${string}-request`>;
type FactOf<Request> = Request extends `${infer Fact}-request` ? Fact : never;

/** The facts of all requests: does not compile where a request has none of the same name. */
const facts = (name: FactOf<RequestName>): Name => name;

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

  it('can be prevented before it happens, under the name of the fact with “-request”', () => {
    const chat = mount(document.createElement('span'));
    const name = 'inlay-open-request';
    for (const event of [name, facts('inlay-open')]) {
      chat.addEventListener(event, (heard) => heard.preventDefault());
    }

    expect(emit(chat, name, {})).to.equal(false);
    expect(emit(chat, 'inlay-open', {})).to.equal(true);
  });
});
