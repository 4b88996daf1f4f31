import type { CardField } from '@inlay/protocol';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Strings } from '../i18n/all-strings.ts';
import { icons } from '../icons/icons.ts';
import { defaultMaxLength } from './card-values.ts';

/** A field and its state, for rendering. */
export interface FieldView {
  readonly field: CardField;
  /** Unique within the card. */
  readonly id: string;
  readonly value: unknown;
  /** Validation message; null if valid. */
  readonly problem: string | null;
  readonly disabled: boolean;
  readonly strings: Strings;
  readonly onChange: (value: unknown) => void;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const inputTypes: Partial<Record<CardField['kind'], string>> = { email: 'email', date: 'date' };

/** Renders a field with its label and validation message. */
export function renderField(view: FieldView): TemplateResult {
  switch (view.field.kind) {
    case 'choice':
    case 'choices':
      return renderChoices(view);
    case 'checkbox':
      return renderCheckbox(view);
    default:
      return renderLabelledControl(view);
  }
}

function renderLabelledControl(view: FieldView) {
  const { field, id } = view;
  return html`<div class="field" part="field">
    <label for=${id}><bdi>${field.label}</bdi>${renderMark(view)}</label>
    ${renderControl(view)} ${renderProblem(view)}
  </div>`;
}

/** Renders the asterisk of a required field, hidden from screen readers, which read `required`. */
function renderMark({ field }: FieldView) {
  return field.required ? html`<span class="required" aria-hidden="true">*</span>` : nothing;
}

function renderProblem({ id, problem }: FieldView) {
  return problem
    ? html`<p class="problem" id="${id}-problem">${icons.alert} <bdi>${problem}</bdi></p>`
    : nothing;
}

const descriptionId = ({ id, problem }: FieldView) => (problem ? `${id}-problem` : nothing);

function renderControl(view: FieldView) {
  const { field, id, problem, disabled, onChange } = view;
  const value = String(view.value ?? '');
  const handle = (event: Event) => onChange((event.target as Control).value);
  const { max_length = defaultMaxLength, placeholder = '' } = field;
  if (field.kind === 'select') return renderSelect(view, value);
  if (field.kind === 'multiline') {
    return html`<textarea
      class="control"
      id=${id}
      rows="3"
      dir="auto"
      maxlength=${max_length}
      placeholder=${placeholder || nothing}
      .value=${live(value)}
      ?required=${field.required}
      ?disabled=${disabled}
      aria-invalid=${problem !== null}
      aria-describedby=${descriptionId(view)}
      @input=${handle}
    ></textarea>`;
  }
  const isNumber = field.kind === 'number';
  // Keypads for decimals may lack the minus sign.
  const inputMode = isNumber && (field.min ?? -1) >= 0 ? 'decimal' : nothing;
  return html`<input
    class="control ${field.kind}"
    id=${id}
    type=${inputTypes[field.kind] ?? 'text'}
    dir=${field.kind === 'text' ? 'auto' : nothing}
    inputmode=${inputMode}
    autocomplete=${field.kind === 'email' ? 'email' : 'off'}
    maxlength=${field.kind === 'date' ? nothing : max_length}
    placeholder=${placeholder || nothing}
    .value=${live(value)}
    ?required=${field.required}
    ?disabled=${disabled}
    aria-invalid=${problem !== null}
    aria-describedby=${descriptionId(view)}
    @input=${handle}
  />`;
}

function renderSelect(view: FieldView, value: string) {
  const { field, id, problem, disabled, strings, onChange } = view;
  return html`<div class="select">
    <select
      class="control ${value ? '' : 'empty'}"
      id=${id}
      ?required=${field.required}
      ?disabled=${disabled}
      aria-invalid=${problem !== null}
      aria-describedby=${descriptionId(view)}
      @change=${(event: Event) => onChange((event.target as Control).value)}
    >
      <option value="" ?selected=${value === ''}>${field.placeholder || strings.cardChoose}</option>
      ${(field.options ?? []).map(
        (option) =>
          html`<option value=${option.value} ?selected=${option.value === value}>
            ${option.label}
          </option>`,
      )}
    </select>
    ${icons.chevron}
  </div>`;
}

function renderChoices(view: FieldView) {
  const { field, id, problem, disabled, strings, onChange } = view;
  const isMany = field.kind === 'choices';
  const chosen = Array.isArray(view.value) ? view.value : [view.value];
  const handle = ({ currentTarget }: Event) => {
    const inputs = (currentTarget as HTMLElement).querySelectorAll<HTMLInputElement>(':checked');
    const values = [...inputs].map((box) => box.value);
    onChange(isMany ? values : (values[0] ?? ''));
  };
  return html`<fieldset
    class="field"
    part="field"
    ?disabled=${disabled}
    role=${isMany ? 'group' : 'radiogroup'}
    aria-required=${!isMany && field.required ? 'true' : nothing}
    aria-invalid=${!isMany && problem !== null ? 'true' : nothing}
    aria-describedby=${descriptionId(view)}
    @change=${handle}
  >
    <legend>
      <bdi>${field.label}</bdi>${renderMark(view)}
      ${
        isMany && field.required
          ? html`<span class="visually-hidden">(${strings.cardRequired})</span>`
          : nothing
      }
    </legend>
    <div class="options">
      ${(field.options ?? []).map(
        (option, index) =>
          html`<label class="option">
            <input
              id=${index === 0 ? id : nothing}
              type=${isMany ? 'checkbox' : 'radio'}
              name=${id}
              value=${option.value}
              .checked=${live(chosen.includes(option.value))}
            />
            <bdi>${option.label}</bdi>
          </label>`,
      )}
    </div>
    ${renderProblem(view)}
  </fieldset>`;
}

function renderCheckbox(view: FieldView) {
  const { field, id, problem, disabled, onChange } = view;
  return html`<div class="field" part="field">
    <label class="check">
      <input
        id=${id}
        type="checkbox"
        .checked=${live(view.value === true)}
        ?required=${field.required}
        ?disabled=${disabled}
        aria-invalid=${problem !== null}
        aria-describedby=${descriptionId(view)}
        @change=${(event: Event) => onChange((event.target as HTMLInputElement).checked)}
      />
      <span><bdi>${field.label}</bdi>${renderMark(view)}</span>
    </label>
    ${renderProblem(view)}
  </div>`;
}
