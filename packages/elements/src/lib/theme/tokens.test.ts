import { expect, mount } from '../testing/fixture.ts';
import { type TokenName, token } from './tokens.ts';

function box(parent: Element | ShadowRoot, property: string, name: TokenName): HTMLElement {
  const element = document.createElement('div');
  element.style.setProperty(property, token(name).cssText);
  parent.append(element);
  return element;
}

const read = (element: Element, property: string) =>
  getComputedStyle(element).getPropertyValue(property);

describe('custom properties', () => {
  it('can be set on any ancestor', () => {
    const outer = mount(document.createElement('div'));
    outer.style.setProperty('--inlay-radius-small', '3px');

    expect(read(box(outer, 'width', 'radius-small'), 'width')).to.equal('3px');
  });

  it('derive all radii from --inlay-radius, unless they are set separately', () => {
    const outer = mount(document.createElement('div'));
    outer.style.setProperty('--inlay-radius', '6px');
    outer.style.setProperty('--inlay-radius-large', '1px');
    const radius = (name: TokenName) => read(box(outer, 'width', name), 'width');

    expect(radius('radius-small')).to.equal('4px');
    expect(radius('radius-medium')).to.equal('6px');
    expect(radius('radius-large')).to.equal('1px');
    expect(radius('radius-full')).to.equal('600px');
    outer.style.setProperty('--inlay-radius', '0px');
    expect(radius('radius-full')).to.equal('0px');
  });

  it('result in whole pixels for the spacing of each density', () => {
    const outer = mount(document.createElement('div'));
    const space = (density: string, name: TokenName) => {
      outer.style.setProperty('--inlay-density', density);
      return read(box(outer, 'width', name), 'width');
    };

    expect(space('0.75', 'space-3')).to.equal('9px');
    expect(space('1', 'space-3')).to.equal('12px');
    expect(space('1.25', 'space-3')).to.equal('15px');
    expect(space('0.75', 'control-size')).to.equal('30px');
  });

  it('derive font sizes from --inlay-font-size', () => {
    const outer = mount(document.createElement('div'));
    outer.style.setProperty('--inlay-font-size', '30px');

    expect(read(box(outer, 'font-size', 'font-size-small'), 'font-size')).to.equal('26px');
  });

  it('derive the text colour of a part from the surface that is set on that part', () => {
    const outer = mount(document.createElement('div'));
    outer.style.colorScheme = 'light';
    const part = box(outer, 'color', 'color-text');
    part.style.setProperty('--inlay-color-surface', 'navy');

    expect(read(part, 'color')).to.not.equal(read(box(outer, 'color', 'color-text'), 'color'));
  });

  it('use the agent’s accent unless the page sets --inlay-color-accent', () => {
    const outer = mount(document.createElement('div'));
    outer.style.setProperty('--inlay-agent-accent', 'rgb(1, 2, 3)');
    expect(read(box(outer, 'color', 'color-accent'), 'color')).to.equal('rgb(1, 2, 3)');

    outer.style.setProperty('--inlay-color-accent', 'rgb(4, 5, 6)');
    expect(read(box(outer, 'color', 'color-accent'), 'color')).to.equal('rgb(4, 5, 6)');
  });
});
