import type { InlayChat as InlayChatElement } from '@inlay/elements';
import { expect } from 'chai';
import { act, createRef, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { InlayChat } from './chat.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root | null = null;
let container: HTMLElement | null = null;

afterEach(async () => {
  await act(async () => root?.unmount());
  container?.remove();
});

/** Renders into the page under StrictMode, which mounts every component twice. */
async function render(element: React.ReactNode) {
  if (!root || !container?.isConnected) {
    container = document.createElement('div');
    document.body.append(container);
    root = createRoot(container);
  }
  await act(async () => root?.render(<StrictMode>{element}</StrictMode>));
  return container?.querySelector('inlay-chat') as InlayChatElement;
}

describe('InlayChat', () => {
  it('passes functions and simple values as properties', async () => {
    const getToken = async () => null;
    const renderers = { seats: () => document.createElement('p') };

    const chat = await render(
      <InlayChat heading="Ask us" getToken={getToken} renderers={renderers} />,
    );

    expect(chat.getToken).to.equal(getToken);
    expect(chat.renderers).to.equal(renderers);
    expect(chat.heading).to.equal('Ask us');
  });

  it('calls the latest handler of each event prop', async () => {
    const received: string[] = [];
    await render(<InlayChat onError={() => received.push('first')} />);
    const chat = await render(<InlayChat onError={(event) => received.push(event.detail.code)} />);
    received.length = 0;

    chat.dispatchEvent(
      new CustomEvent('inlay-error', { detail: { code: 'NETWORK_ERROR', message: '' } }),
    );

    expect(received).to.deep.equal(['NETWORK_ERROR']);
  });

  it('keeps its element, and updates getToken, when each render has a new function', async () => {
    const first = await render(<InlayChat getToken={async () => null} />);
    const latest = async () => null;
    const second = await render(<InlayChat getToken={latest} />);

    expect(second).to.equal(first);
    expect(second.getToken).to.equal(latest);
  });

  it('sets its ref to the element', async () => {
    const ref = createRef<InlayChatElement>();

    const chat = await render(<InlayChat ref={ref} />);

    expect(ref.current).to.equal(chat);
    expect(chat.sendMessage).to.be.a('function');
    expect(chat.setDraft).to.be.a('function');
  });
});
