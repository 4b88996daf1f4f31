import type { UserEntry } from '@inlay/client';
import { html } from 'lit';
import { format } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';

export type Step = 'previous' | 'next';

/** Renders the switch between versions of a user message: `‹ 2/3 ›`. */
export function renderVersionSwitch(
  versions: NonNullable<UserEntry['versions']>,
  strings: Strings,
  onStep: (step: Step) => void,
) {
  const { at, of } = versions;
  const number = new Intl.NumberFormat(strings.locale);
  const label = format(strings.versionOf, {
    at: number.format(at + 1),
    of: number.format(of),
  });
  // Not `disabled` at the first and the last version, because that would remove focus.
  const button = (step: Step, label: string, end: boolean) =>
    html`<button
      class="icon-button step ${step}"
      aria-label=${label}
      title=${label}
      aria-disabled=${end}
      @click=${() => end || onStep(step)}
    >
      ${icons.chevron}
    </button>`;
  return html`<div class="versions" part="versions" role="group" aria-label=${label}>
    ${button('previous', strings.previousVersion, at <= 0)}
    <span class="at" aria-hidden="true">${number.format(at + 1)}/${number.format(of)}</span>
    ${button('next', strings.nextVersion, at >= of - 1)}
  </div>`;
}
