import type { LitElement, ReactiveController } from 'lit';
import type { StringOverrides } from '../i18n/all-strings.ts';
import { lazy } from '../lazy.ts';

/** Optional: nothing is reported if it can't be loaded. */
const report = lazy(() => import('./report-options.ts'));

/** Global attributes, and attributes of frameworks and page scripts. */
const commonAttributes =
  /^(?:id|class|style|slot|part|exportparts|lang|dir|hidden|title|role|tabindex|inert|is|nonce|translate|aria-.*|data-.*|on.*|.*[:@_.].*)$/;

/** Internal fields of Lit and private fields. */
const internalFields =
  /^_|^(?:enableUpdating|isUpdatePending|hasUpdated|renderOptions|renderRoot)$/;

/**
 * Checks for unknown options, once and whenever `strings` changes. The reporting code is lazy-loaded
 * only if there may be an unknown option.
 */
export class OptionCheck implements ReactiveController {
  readonly #host: LitElement & { readonly strings: StringOverrides | null };
  #strings: StringOverrides | null = null;
  #checked = false;

  constructor(host: LitElement & { readonly strings: StringOverrides | null }) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated() {
    const host = this.#host;
    const { strings } = host;
    const isNew = strings !== this.#strings;
    if (this.#checked && !isNew) return;
    const names = this.#checked ? [] : this.#unknownNames();
    this.#checked = true;
    this.#strings = strings;
    if (names.length === 0 && !strings) return;
    void report.load().then((module) => {
      module?.reportOptions(host, names, isNew ? strings : null);
    });
  }

  #unknownNames(): string[] {
    const host = this.#host;
    const { observedAttributes } = host.constructor as typeof LitElement;
    const attributes = host
      .getAttributeNames()
      .filter((name) => !observedAttributes.includes(name) && !commonAttributes.test(name));
    // Not `Object.keys`, which Prototype.js replaces: it would return the names of all properties.
    const fields = Object.entries(host)
      .map(([name]) => name)
      .filter((name) => !internalFields.test(name));
    return [...attributes, ...fields];
  }
}
