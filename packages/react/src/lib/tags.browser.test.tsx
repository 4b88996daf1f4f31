import '@inlay/elements/define';
import type {} from '@inlay/elements/jsx';
import { expect } from 'chai';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root | null = null;
const container = document.createElement('div');

beforeEach(() => document.body.append(container));

afterEach(async () => {
  await act(async () => root?.unmount());
  container.remove();
});

describe('the element tags in React', () => {
  it('open the panel with the attribute `open`, and keep the method', async () => {
    root = createRoot(container);
    const render = (open: boolean) => act(async () => root?.render(<inlay-launcher open={open} />));
    await render(false);
    const launcher = container.querySelector('inlay-launcher');
    expect(launcher?.opened).to.equal(false);

    await render(true);
    expect(launcher?.opened).to.equal(true);
    await render(false);
    expect(launcher?.opened).to.equal(false);

    launcher?.open();
    expect(launcher?.opened).to.equal(true);
  });
});
