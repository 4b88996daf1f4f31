import { emit, type InlayEventDetails } from './events.ts';
import { expect, mount } from './testing/fixture.ts';

type Name = keyof InlayEventDetails;
type RequestName = Extract<Name, `${string}-request`>;
type EventOf<Request> = Request extends `${infer Event}-request` ? Event : never;

/** Fails to compile if a request event has no event of the same name without “-request”. */
const eventOf = (name: EventOf<RequestName>): Name => name;

describe('events of inlay-chat', () => {
  it('are composed and bubble to the shadow root, the document and the window', () => {
    const root = mount(document.createElement('div')).attachShadow({ mode: 'open' });
    const chat = root.appendChild(document.createElement('span'));
    const announced: string[] = [];
    const once = { once: true };
    root.addEventListener('inlay-announce', ({ detail }) => announced.push(`tree: ${detail.text}`));
    document.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text), once);
    window.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text), once);

    emit(chat, 'inlay-announce', { text: 'Copied.' });

    expect(announced).to.deep.equal(['tree: Copied.', 'Copied.', 'Copied.']);
  });

  it('are cancelable only if their name ends in “-request”', () => {
    const chat = mount(document.createElement('span'));
    const name = 'inlay-open-request';
    for (const event of [name, eventOf('inlay-open')]) {
      chat.addEventListener(event, (cancelable) => cancelable.preventDefault());
    }

    expect(emit(chat, name, {})).to.equal(false);
    expect(emit(chat, 'inlay-open', {})).to.equal(true);
  });
});
