import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { RequestError } from '../api.ts';
import {
  type Field,
  type FieldGroup,
  formatValue,
  readChanges,
  type SortedErrors,
  sortErrors,
  valueAt,
} from './fields.ts';

const noErrors: SortedErrors = { byField: new Map(), others: [] };

/** A form that changes a resource. Only changed members are sent, so that others can change it as well. */
export class EditForm extends LitElement {
  @property({ attribute: false }) groups: readonly FieldGroup[] = [];
  @property({ attribute: false }) resource: object = {};
  /** Whether values are shown only. */
  @property({ attribute: false }) isReadOnly = false;
  /** Label of the button that creates a resource; null for one that exists. */
  @property({ attribute: false }) createLabel: string | null = null;
  /** Stores changes. Resolves with the message to show. */
  @property({ attribute: false }) save!: (changes: Record<string, unknown>) => Promise<string>;
  @state() private errors = noErrors;
  @state() private isChanged = false;
  @state() private isBusy = false;
  @state() private message = '';

  override createRenderRoot() {
    return this;
  }

  override render() {
    if (this.isReadOnly) {
      return this.groups.map(
        (group) => html`
          <section class="group">
            ${viewOfTitle(group)}
            <dl>${group.fields.map((field) => viewOfValue(field, this.resource))}</dl>
          </section>
        `,
      );
    }
    return html`
      <form
        ?data-unsaved=${this.isChanged && !this.isBusy}
        @submit=${this.#submit}
        @input=${this.#handleInput}
        @keydown=${this.#handleKey}
      >
        ${this.groups.map(
          (group) => html`
            <section class="group">
              ${viewOfTitle(group)}
              <div class="fields">
                ${group.fields.map((field) => this.#viewOfField(field))}
              </div>
            </section>
          `,
        )}
        <div class="save-bar ${this.isChanged || this.message ? 'open' : ''}">
          <button class="primary" aria-disabled=${!this.#canSave}>
            ${this.createLabel ?? 'Save changes'}
          </button>
          ${
            this.isChanged
              ? html`<button type="button" @click=${this.#discard}>Discard</button>`
              : nothing
          }
          <span role="status">${this.message}</span>
          ${this.errors.others.map((error) => html`<p class="error" role="alert">${error}</p>`)}
        </div>
      </form>
    `;
  }

  override updated(changed: PropertyValues<this>) {
    // Inputs that the operator has changed ignore new default values until then.
    if (changed.has('resource')) this.#discard();
  }

  /** All settings of a new resource can have defaults. */
  get #canSave(): boolean {
    return !this.isBusy && (this.isChanged || this.createLabel !== null);
  }

  get #form(): HTMLFormElement | null {
    return this.querySelector('form');
  }

  get #fields(): readonly Field[] {
    return this.groups.flatMap(({ fields }) => fields);
  }

  #viewOfField(field: Field) {
    const { pointer, label, hint, type } = field;
    const id = pointer.slice(1).replaceAll('/', '-');
    const error = this.errors.byField.get(pointer);
    const descriptions = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean);
    const input = viewOfInput(field, {
      id,
      text: formatValue(field, valueAt(this.resource, pointer)),
      description: descriptions.join(' ') || nothing,
      isInvalid: error ? 'true' : nothing,
    });
    return html`
      <div class="field ${type}">
        <label for=${id}>${label}</label>
        ${input}
        ${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : nothing}
        ${error ? html`<p class="error" id="${id}-error">${error}</p>` : nothing}
      </div>
    `;
  }

  readonly #discard = () => {
    this.#form?.reset();
    this.errors = noErrors;
    this.isChanged = false;
  };

  readonly #handleInput = () => {
    const { changes, errors } = this.#read(this.#form as HTMLFormElement);
    this.isChanged = Object.keys(changes).length + errors.length > 0;
    this.message = '';
  };

  /** Escape leaves a field first, so that it does not leave the page. */
  readonly #handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    (event.target as HTMLElement).blur();
  };

  readonly #submit = async (event: Event) => {
    event.preventDefault();
    if (!this.#canSave) return;
    const form = event.target as HTMLFormElement;
    const { changes, errors } = this.#read(form);
    if (errors.length > 0) return this.#show(new RequestError(400, '', errors));
    this.isBusy = true;
    this.errors = noErrors;
    try {
      this.message = await this.save(changes);
      this.isChanged = false;
    } catch (error) {
      await this.#show(error as Error);
    } finally {
      this.isBusy = false;
    }
  };

  #read(form: HTMLFormElement) {
    return readChanges(this.#fields, this.resource, new FormData(form));
  }

  /** Shows an error at its fields, and moves the focus to the first one. */
  async #show(error: Error) {
    const errors = error instanceof RequestError ? error.errors : [];
    const data = new FormData(this.#form as HTMLFormElement);
    const sorted = sortErrors(this.#fields, errors, data);
    this.errors = errors.length > 0 ? sorted : { ...sorted, others: [error.message] };
    await this.updateComplete;
    this.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }
}

function viewOfTitle({ title, hint }: FieldGroup) {
  return html`
    <div class="about">
      <h2>${title}</h2>
      ${hint ? html`<p class="hint">${hint}</p>` : nothing}
    </div>
  `;
}

interface InputState {
  readonly id: string;
  readonly text: string;
  readonly description: unknown;
  readonly isInvalid: unknown;
}

/** Default values, unlike values, are what `reset()` returns to. */
function viewOfInput(
  { pointer, type, options = {}, isRequired = false, isNullable = false }: Field,
  { id, text, description, isInvalid }: InputState,
) {
  if (type === 'select') {
    return html`<select
      id=${id}
      name=${pointer}
      aria-describedby=${description}
      aria-invalid=${isInvalid}
    >
      ${Object.entries(options).map(
        ([value, label]) =>
          html`<option value=${value} ?selected=${value === text}>${label}</option>`,
      )}
    </select>`;
  }
  if (type === 'checkbox') {
    return html`<input
      id=${id}
      name=${pointer}
      type="checkbox"
      value="true"
      .defaultChecked=${text !== ''}
      aria-describedby=${description}
      aria-invalid=${isInvalid}
    />`;
  }
  if (type === 'text' || type === 'number') {
    return html`<input
      id=${id}
      name=${pointer}
      type=${type}
      min=${type === 'number' ? 0 : nothing}
      ?required=${isRequired || (type === 'number' && !isNullable)}
      .defaultValue=${text}
      aria-describedby=${description}
      aria-invalid=${isInvalid}
    />`;
  }
  const rows = Math.min(Math.max(text.split('\n').length, type === 'lines' ? 3 : 4), 18);
  return html`<textarea
    id=${id}
    name=${pointer}
    rows=${rows}
    spellcheck=${type === 'textarea'}
    ?required=${isRequired}
    .defaultValue=${text}
    aria-describedby=${description}
    aria-invalid=${isInvalid}
  ></textarea>`;
}

function viewOfValue(field: Field, resource: object) {
  const value = valueAt(resource, field.pointer);
  const text = formatValue(field, value);
  return html`
    <dt>${field.label}</dt>
    <dd>${viewOfText(field, text)}</dd>
  `;
}

function viewOfText({ type, options }: Field, text: string) {
  if (type === 'checkbox') return text ? 'Yes' : 'No';
  if (type === 'select') return options?.[text] ?? text;
  if (text === '') return '–';
  if (type === 'text' || type === 'number') return text;
  return html`<pre class=${type} tabindex="0" dir=${type === 'json' ? nothing : 'auto'}>${text}</pre>`;
}
