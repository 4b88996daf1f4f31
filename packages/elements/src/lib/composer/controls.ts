import type { Mode } from '@inlay/protocol';
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';

interface CommonOptions {
  readonly strings: Strings;
  readonly disabled: boolean;
}

interface AttachOptions {
  readonly mediaTypes: readonly string[];
  readonly onPicked: (event: Event) => void;
}

interface DictateOptions {
  readonly active: boolean;
  readonly onPress: () => void;
}

interface ModeOptions {
  readonly modes: readonly Mode[];
  readonly selected: Mode | undefined;
  readonly onChange: (event: Event) => void;
}

/** Renders the button that opens the browser's file picker. */
export function attachControl(options: CommonOptions & AttachOptions): TemplateResult {
  const { strings, mediaTypes, disabled, onPicked } = options;
  return html`<button
      class="tool"
      part="attach"
      type="button"
      aria-label=${strings.attach}
      title=${strings.attach}
      ?disabled=${disabled}
      @click=${({ currentTarget }: Event) =>
        ((currentTarget as Element).nextElementSibling as HTMLInputElement).click()}
    >
      ${icons.attach}
    </button>
    <input
      type="file"
      multiple
      hidden
      tabindex="-1"
      accept=${mediaTypes.length > 0 ? mediaTypes.join(',') : nothing}
      @change=${onPicked}
    />`;
}

/** Renders the dictation button. */
export function dictateControl(options: CommonOptions & DictateOptions): TemplateResult {
  const { strings, active, disabled, onPress } = options;
  const label = active ? strings.dictateStop : strings.dictate;
  return html`<button
    class="tool ${active ? 'listening' : ''}"
    part="dictate"
    type="button"
    aria-label=${label}
    aria-pressed=${active}
    title=${label}
    ?disabled=${disabled}
    @click=${onPress}
  >
    ${icons.microphone}
  </button>`;
}

/** Renders the mode selector. */
export function modeControl(options: CommonOptions & ModeOptions): TemplateResult {
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

/** Renders the stop button. It is where the send button was, which some users double-click. */
export function stopControl(strings: Strings, onPress: () => void): TemplateResult {
  return html`<button
    class="act stop"
    part="stop"
    type="button"
    aria-label=${strings.stop}
    title=${strings.stop}
    @click=${({ detail }: MouseEvent) => detail !== 2 && onPress()}
  >
    ${icons.stop}
  </button>`;
}

export function sendControl(strings: Strings, disabled: boolean): TemplateResult {
  return html`<button
    class="act"
    part="send"
    type="submit"
    aria-label=${strings.send}
    title=${strings.send}
    ?disabled=${disabled}
  >
    ${icons.send}
  </button>`;
}
