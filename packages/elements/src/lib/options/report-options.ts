import { nearestName } from '@inlay/protocol/nearest-name';
import type { LitElement } from 'lit';
import { english, type StringOverrides } from '../i18n/all-strings.ts';

const reportedTexts = new Set<string>();

/**
 * Reports unknown options of the page, once each: every unknown key of `strings`, and attributes and
 * properties with a name similar to that of an option. Others may belong to the page.
 */
export function reportOptions(
  element: LitElement,
  names: readonly string[],
  strings: StringOverrides | null,
): void {
  const { localName } = element;
  const { elementProperties, observedAttributes } = element.constructor as typeof LitElement;
  const properties = [...elementProperties].flatMap(([name, { state }]) =>
    state ? [] : [String(name)],
  );
  for (const name of names) {
    // Suggests the property for camel case names, otherwise the attribute.
    const known = /[A-Z]/.test(name)
      ? [...properties, ...observedAttributes]
      : [...observedAttributes, ...properties];
    const nearest = nearestName(name, known);
    if (nearest === null) continue;
    const kind = properties.includes(nearest) ? 'property' : 'attribute';
    report(
      `<${localName}> has no option “${name}”, so it changes nothing. Did you mean the ${kind} “${nearest}”?`,
    );
  }

  for (const key of Object.keys(strings ?? {})) {
    if (Object.hasOwn(english, key)) continue;
    const nearest = nearestName(key, Object.keys(english));
    report(
      `strings: there is no key “${key}”, so it changes nothing. ` +
        `${nearest ? `Did you mean “${nearest}”? ` : ''}docs/languages.md lists every key.`,
    );
  }
}

function report(text: string): void {
  if (reportedTexts.has(text)) return;
  reportedTexts.add(text);
  console.warn(text);
}
