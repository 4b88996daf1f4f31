import '#without-lit-warning';

import { guardDom } from './dom-guard.ts';
import { version } from './version.ts';

export type TagTable = Record<`inlay-${string}`, CustomElementConstructor>;

/** Property of a registered class: the version of the package that it is from. */
const versionKey = Symbol.for('inlay.version');

let conflict = '';

/**
 * Registers the tags of a table that are not registered yet. A page that loads the elements twice keeps the
 * first; the second load does nothing. Two versions can't be mixed: if another version has registered one of
 * the tags, the console names both versions.
 */
export function register(table: TagTable, registry: CustomElementRegistry = customElements): void {
  // Elements of this version would not work inside a chat of the other one.
  if (isForeign('inlay-chat', registry)) return;
  for (const [tag, element] of Object.entries(table)) {
    if (isForeign(tag, registry) || registry.get(tag)) continue;
    Object.defineProperty(element, versionKey, { value: version });
    guardDom(element);
    registry.define(tag, element);
  }
}

/** Whether another version of this package, or another script, has registered a tag. */
export function isForeign(tag: string, registry: CustomElementRegistry = customElements): boolean {
  const element = registry.get(tag);
  if (!element) return false;
  const other: unknown = Reflect.get(element, versionKey);
  if (other === version) return false;
  if (!conflict) {
    conflict = `This page loads two versions of Inlay: ${other ?? 'an unknown one'} before ${version}. Load only one.`;
    console.error(`inlay: <${tag}>: ${conflict}`);
  }
  return true;
}

/** Describes the conflict if the page loads two versions of the elements; otherwise empty. */
export function versionConflict(): string {
  return conflict;
}
