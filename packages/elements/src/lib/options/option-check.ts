import type { LitElement, ReactiveController } from 'lit';
import type { StringOverrides } from '../i18n/strings.ts';

/** Attributes of any element, and those that belong to frameworks and to scripts of the page. */
const common =
  /^(?:id|class|style|slot|part|exportparts|lang|dir|hidden|title|role|tabindex|inert|is|nonce|translate|aria-.*|data-.*|on.*|.*[:@_.].*)$/;

/** Fields of Lit's own, and what is private. */
const internal = /^_|^(?:enableUpdating|isUpdatePending|hasUpdated|renderOptions|renderRoot)$/;

/**
 * Looks for options that no element reads, once and whenever `strings` changes. What reports them is
 * loaded only where there may be one.
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
    const { strings } = this.#host;
    const isNew = strings !== this.#strings;
    if (this.#checked && !isNew) return;
    const names = this.#checked ? [] : this.#unknownNames();
    this.#checked = true;
    this.#strings = strings;
    if (names.length === 0 && !strings) return;
    import('./report-options.ts')
      .then(({ reportOptions }) => reportOptions(this.#host, names, isNew ? strings : null))
      // The chat works without it.
      .catch(() => {});
  }

  #unknownNames(): string[] {
    const host = this.#host;
    const { observedAttributes } = host.constructor as typeof LitElement;
    const attributes = host
      .getAttributeNames()
      .filter((name) => !observedAttributes.includes(name) && !common.test(name));
    const fields = Object.keys(host).filter((name) => !internal.test(name));
    return [...attributes, ...fields];
  }
}
