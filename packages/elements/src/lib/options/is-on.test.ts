import '../../define-all.ts';
import type { LitElement } from 'lit';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { deepAll } from '../testing/user.ts';

/** The boolean options of an element, as pairs of property and attribute. */
function booleanOptions(element: LitElement): [string, string][] {
  const { elementProperties } = element.constructor as typeof LitElement;
  return [...elementProperties].flatMap(([name, { type, attribute }]) =>
    type === Boolean
      ? [[String(name), typeof attribute === 'string' ? attribute : String(name)]]
      : [],
  );
}

describe('boolean attributes', () => {
  for (const [tag, count] of [
    ['inlay-chat', 5],
    ['inlay-launcher', 9],
  ] as const) {
    it(`of ${tag} are false with the value “false”, which Vue and Svelte set`, () => {
      const element = document.createElement(tag);
      const options = booleanOptions(element);
      expect(options).to.have.length(count);

      for (const [property, attribute] of options) {
        const values = ['false', '', 'false', 'true', 'false'].map((value) => {
          element.setAttribute(attribute, value);
          return [value, Reflect.get(element, property)];
        });
        element.removeAttribute(attribute);
        values.push([null, Reflect.get(element, property)]);

        expect(values, attribute).to.deep.equal([
          ['false', false],
          ['', true],
          ['false', false],
          ['true', true],
          ['false', false],
          [null, false],
        ]);
      }
    });
  }

  it('do not move the panel if `no-bubble` is “false”', async () => {
    const bottomOf = async (noBubble: string | null) => {
      const launcher = document.createElement('inlay-launcher');
      if (noBubble !== null) launcher.setAttribute('no-bubble', noBubble);
      mount(launcher).open = true;
      await launcher.updateComplete;
      await nextFrame();
      const [panel] = deepAll(launcher, 'dialog');
      for (const animation of panel?.getAnimations() ?? []) animation.finish();
      return panel?.getBoundingClientRect().bottom;
    };

    expect(await bottomOf('false')).to.equal(await bottomOf(null));
    expect(await bottomOf('')).to.be.greaterThan((await bottomOf(null)) ?? Number.NaN);
  });
});
