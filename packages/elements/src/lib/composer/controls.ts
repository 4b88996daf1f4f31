import { html, type TemplateResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';

interface CommonOptions {
  readonly strings: Strings;
}

interface DictateOptions {
  readonly active: boolean;
  readonly onPress: () => void;
}

/** Renders the dictation button. */
export function dictateControl(options: CommonOptions & DictateOptions): TemplateResult {
  const { strings, active, onPress } = options;
  const label = active ? strings.dictateStop : strings.dictate;
  return html`<button
    class="tool ${active ? 'listening' : ''}"
    part="dictate"
    type="button"
    aria-label=${label}
    aria-pressed=${active}
    title=${label}
    @click=${onPress}
  >
    ${icons.microphone}
  </button>`;
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
