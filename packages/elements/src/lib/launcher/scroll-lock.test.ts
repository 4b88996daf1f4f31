import { expect } from '../testing/fixture.ts';
import { lockScroll } from './scroll-lock.ts';

describe('lockScroll', () => {
  it('locks scrolling until the last unlock, and restores the styles', () => {
    const { style } = document.documentElement;
    style.overflow = 'scroll';

    const first = lockScroll();
    const second = lockScroll();
    first();
    first();
    expect(style.overflow).to.equal('hidden');
    second();

    expect(style.overflow).to.equal('scroll');
    style.overflow = '';
  });
});
