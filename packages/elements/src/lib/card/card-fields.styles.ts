import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const fieldStyles = css`
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .field > label:not(.check),
  legend {
    padding: 0;
    font-size: ${token('font-size-small')};
    font-weight: ${token('font-weight-medium')};
  }

  legend {
    margin-block-end: 6px;
  }

  .required {
    margin-inline-start: 3px;
    color: ${token('color-danger')};
  }

  .control {
    appearance: none;
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: calc(${token('control-size')} + 6px);
    margin: 0;
    padding: ${token('space-1')} ${token('space-3')};
    border: 1px solid ${token('color-border-strong')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface')};
    color: inherit;
    font: inherit;
    line-height: ${token('line-height')};
    transition: border-color ${token('duration-fast')};
  }

  .control:focus-visible {
    border-color: transparent;
    outline-offset: -1px;
  }

  .control[aria-invalid='true'] {
    border-color: ${token('color-danger')};
    box-shadow: inset 0 0 0 1px ${token('color-danger')};
  }

  .control[aria-invalid='true']:focus-visible {
    box-shadow: none;
    outline-color: ${token('color-danger')};
  }

  /* With dir=auto, an empty field would be left-to-right in every card. */
  .control:placeholder-shown {
    direction: inherit;
  }

  .control::placeholder,
  .control.empty {
    color: ${token('color-text-muted')};
    opacity: 1;
  }

  textarea.control {
    padding-block: ${token('space-2')};
    resize: vertical;
  }

  @container (inline-size > 480px) {
    .control:is(.number, .date) {
      max-inline-size: 224px;
    }
  }

  .control.date {
    /* Without this, a date input in Safari is narrower than other fields. */
    display: block;
    text-align: start;
  }

  .select {
    position: relative;
  }

  .select > select {
    padding-inline-end: 36px;
    text-overflow: ellipsis;
    cursor: pointer;
  }

  .select > svg {
    position: absolute;
    inset-block-start: calc(50% - ${token('icon-size-small')} / 2);
    inset-inline-end: ${token('space-3')};
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    color: ${token('color-text-muted')};
    pointer-events: none;
  }

  option {
    background: ${token('color-surface-raised')};
    color: ${token('color-text')};
  }

  .options {
    display: grid;
    gap: ${token('space-2')};
  }

  .option,
  .check {
    display: flex;
    align-items: flex-start;
    gap: ${token('space-2')};
    cursor: pointer;
  }

  .option {
    min-block-size: calc(${token('control-size')} + 6px);
    padding: 7px ${token('space-3')};
    border: 1px solid ${token('color-border-control')};
    border-radius: ${token('radius-small')};
    transition: background ${token('duration-fast')}, border-color ${token('duration-fast')};
  }

  .option:has(:checked) {
    border-color: ${token('color-focus')};
    background: ${token('color-accent-soft')};
  }

  .option:has(:focus-visible) {
    outline: 2px solid ${token('color-focus')};
    outline-offset: 1px;
  }

  .option input:focus-visible {
    outline: none;
  }

  .check {
    padding-block: ${token('space-1')};
  }

  input:is([type='radio'], [type='checkbox']) {
    display: grid;
    place-content: center;
    flex: none;
    appearance: none;
    inline-size: 18px;
    block-size: 18px;
    border: 1px solid ${token('color-border-strong')};
    border-radius: min(5px, ${token('radius-small')});
    background: ${token('color-surface')};
    /* Centres the box on the first line of its label. */
    margin: calc((${token('line-height')} * 1em - 18px) / 2) 0;
    font: inherit;
    cursor: inherit;
  }

  input[type='radio'] {
    border-radius: 50%;
  }

  input:is([type='radio'], [type='checkbox']):checked {
    border-color: ${token('color-accent')};
    background: ${token('color-accent')};
  }

  /* The tick of a checkbox, and the dot of a radio button. */
  input:checked::before {
    content: '';
    inline-size: 5px;
    block-size: 9px;
    margin-block-end: 2px;
    border: solid ${token('color-on-accent')};
    border-width: 0 2px 2px 0;
    transform: rotate(45deg);
  }

  input[type='radio']:checked::before {
    inline-size: 8px;
    block-size: 8px;
    margin: 0;
    border: 0;
    border-radius: 50%;
    background: ${token('color-on-accent')};
  }

  :disabled,
  [disabled] :is(.option, input) {
    cursor: default;
  }

  .control:disabled,
  [disabled] .option {
    opacity: 0.6;
  }

  .problem {
    display: flex;
    align-items: flex-start;
    gap: 6px;
    margin: 0;
    color: ${token('color-danger')};
    font-size: ${token('font-size-small')};
  }

  .problem svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    margin-block-start: calc((1.45em - ${token('icon-size-small')}) / 2);
  }

  .answer {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 2fr);
    column-gap: ${token('space-3')};
    align-items: baseline;
    margin: 0;
  }

  .answer + .answer {
    margin-block-start: calc(-1 * ${token('space-2')});
  }

  .answer dt {
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .answer dd {
    margin: 0;
  }

  .answer bdi {
    white-space: pre-wrap;
  }

  .answer dd.none {
    color: ${token('color-text-muted')};
  }

  @media (hover: hover) {
    .option:hover:not(:has(:checked)) {
      border-color: ${token('color-border-strong')};
    }
  }

  @media (pointer: coarse) {
    .control,
    .option {
      min-block-size: ${token('touch-size')};
    }

    .option {
      align-items: center;
    }

    /* iOS zooms the page in when a field with a smaller font is focused. */
    .control {
      font-size: max(16px, ${token('font-size')});
    }

    .check {
      padding-block: ${token('space-3')};
    }
  }

  @media (forced-colors: active) {
    input:is([type='radio'], [type='checkbox']) {
      appearance: auto;
    }

    input:checked::before {
      content: none;
    }

    .option:has(:checked) {
      border-color: Highlight;
    }

    .control[aria-invalid='true']:not(:focus-visible) {
      outline: 2px dashed CanvasText;
    }
  }
`;
