import '@inlay/elements/define';
import type {} from '@inlay/elements/jsx';
import { expect } from 'chai';
import { act } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { InlayChat } from './chat.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root | null = null;
const container = document.createElement('div');

beforeEach(() => document.body.append(container));

afterEach(async () => {
  await act(async () => root?.unmount());
  container.remove();
});

describe('the element tags in React', () => {
  it('open and close the panel with the property `open`', async () => {
    root = createRoot(container);
    const render = (open: boolean) => act(async () => root?.render(<inlay-launcher open={open} />));
    await render(false);
    const launcher = container.querySelector('inlay-launcher');
    expect(launcher?.open).to.equal(false);

    await render(true);
    expect(launcher?.open).to.equal(true);
    await render(false);
    expect(launcher?.open).to.equal(false);

    launcher?.show();
    expect(launcher?.open).to.equal(true);
  });
});

describe('server rendering', () => {
  it('of the component is hydrated with its functions, objects and event handlers', async () => {
    const getToken = async () => null;
    const tools = { now: () => Date.now() };
    const errors: string[] = [];
    const view = (
      <InlayChat
        getToken={getToken}
        tools={tools}
        noResume
        onError={(event) => errors.push(event.detail.code)}
      />
    );
    container.innerHTML = renderToString(view);

    await act(async () => {
      root = hydrateRoot(container, view);
    });

    const chat = container.querySelector('inlay-chat');
    chat?.dispatchEvent(
      new CustomEvent('inlay-error', { detail: { code: 'NETWORK_ERROR', message: '' } }),
    );
    expect(chat?.getToken).to.equal(getToken);
    expect(chat?.tools).to.equal(tools);
    expect(chat?.noResume).to.equal(true);
    expect(errors).to.include('NETWORK_ERROR');
  });
});
