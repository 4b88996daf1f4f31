import { expect } from '../testing/fixture.ts';
import { lockScroll } from './scroll-lock.ts';

describe('lockScroll', () => {
  it('holds the page until the last holder lets go, and restores what was there', () => {
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
