import type { Mode } from '@inlay/protocol';
import { css, html, type TemplateResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { token } from '../theme/tokens.ts';

interface ModeOptions {
  readonly strings: Strings;
  readonly disabled: boolean;
  readonly modes: readonly Mode[];
  readonly selected: Mode | undefined;
  readonly onChange: (event: Event) => void;
}

/** Styles of the mode selector. */
export const modeStyles = css`
  .mode {
    position: relative;
    display: flex;
    align-items: center;
    min-inline-size: 0;
    border-radius: ${token('radius-full')};
    color: ${token('color-text-muted')};
  }

  .mode svg {
    position: absolute;
    inset-inline-end: ${token('space-2')};
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    pointer-events: none;
  }

  select {
    appearance: none;
    min-inline-size: 0;
    max-inline-size: 100%;
    block-size: 36px;
    margin: 0;
    padding-inline: ${token('space-3')} 28px;
    border: 0;
    border-radius: inherit;
    background: none;
    color: inherit;
    font: inherit;
    font-size: ${token('font-size-small')};
    text-overflow: ellipsis;
    cursor: pointer;
  }

  option {
    background: ${token('color-surface-raised')};
    color: ${token('color-text')};
  }

  @media (hover: hover) {
    .mode:hover {
      background: ${token('color-surface-soft')};
      color: ${token('color-text')};
    }
  }

  @media (pointer: coarse) {
    select {
      block-size: ${token('touch-size')};
    }
  }
`;

/** Renders the mode selector. */
export function modeControl(options: ModeOptions): TemplateResult {
  const { strings, modes, selected, disabled, onChange } = options;
  return html`<span class="mode" part="mode">
    <select
      aria-label=${strings.mode}
      title=${selected?.description || strings.mode}
      ?disabled=${disabled}
      @change=${onChange}
    >
      ${modes.map(
        ({ id, label }) =>
          html`<option value=${id} .selected=${id === selected?.id}>${label}</option>`,
      )}
    </select>
    ${icons.chevron}
  </span>`;
}
