import '../../define-all.ts';
import { sendMouse } from '@web/test-runner-commands';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll } from '../testing/user.ts';

describe('icons', () => {
  it('have the same line in all sizes', () => {
    const element = mount(document.createElement('inlay-conversation-list'));
    const root = element.shadowRoot as ShadowRoot;
    const lines = ['12px', '16px', '20px'].map((size) => {
      const box = document.createElement('div');
      box.innerHTML = '<svg viewBox="0 0 24 24"><path d="M5 12h14" /></svg>';
      (box.firstElementChild as SVGElement).style.inlineSize = size;
      root.append(box);
      const { strokeWidth, vectorEffect } = getComputedStyle(box.querySelector('path') as Element);
      return { strokeWidth, vectorEffect };
    });

    const line = { strokeWidth: '1.5px', vectorEffect: 'non-scaling-stroke' };
    expect(lines).to.deep.equal([line, line, line]);
  });
});

describe('buttons', () => {
  afterEach(() => sendMouse({ type: 'up' }));

  it('look pressed while they are pressed, also without hover', async () => {
    const prompts = [{ label: 'When will it come?' }];
    const element = mount(Object.assign(document.createElement('inlay-suggestions'), { prompts }));
    await element.updateComplete;
    const [button] = deepAll(element, 'button');
    if (!button) throw new Error('There is no suggestion.');
    const look = () => {
      const { opacity, scale } = getComputedStyle(button);
      return { opacity, scale };
    };
    expect(look()).to.deep.equal({ opacity: '1', scale: 'none' });

    const { x, y } = button.getBoundingClientRect();
    await sendMouse({ type: 'move', position: [Math.round(x) + 8, Math.round(y) + 8] });
    await sendMouse({ type: 'down' });

    expect(look()).to.deep.equal({ opacity: '0.75', scale: '0.98' });
  });
});
