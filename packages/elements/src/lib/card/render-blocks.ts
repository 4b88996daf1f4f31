import type { CardBlock } from '@inlay/protocol';
import { html, nothing } from 'lit';
import type { Strings } from '../i18n/all-strings.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { icons } from '../icons/icons.ts';
import { extras } from '../markdown/extras.ts';
import { externalLink, readImageAddress, safeLink } from '../untrusted-text.ts';

type BlockOf<Type extends CardBlock['type']> = Extract<CardBlock, { type: Type }>;

/** State of a card, for rendering its blocks. */
export interface BlockView {
  readonly strings: Strings;
  readonly imageOrigins: readonly string[];
  /** Whether all controls are disabled. */
  readonly locked: boolean;
  /** Id of the action that is being sent or was sent; null for none. */
  readonly chosen: string | null;
  readonly sending: boolean;
  readonly onAction: (action: string, skipsFields: boolean) => void;
}

export function renderButtons({ buttons }: BlockOf<'buttons'>, view: BlockView) {
  const submit = buttons.find((button) => button.action && button.style === 'primary');
  const isPrimary = ({ style }: (typeof buttons)[number]) => style === 'primary';
  const inOrder = [...buttons.filter((button) => !isPrimary(button)), ...buttons.filter(isPrimary)];
  return html`<div class="buttons" part="buttons">
    ${inOrder.map((button) => {
      const { label, action, style = 'plain', skips_fields = false } = button;
      const href = button.url === undefined ? undefined : safeLink(button.url);
      if (href) {
        return html`<a class="button ${style}" href=${href} target=${externalLink.target} rel=${externalLink.rel} referrerpolicy=${externalLink.referrerpolicy} aria-describedby=${externalLink['aria-describedby']}>
          <span><bdi>${label}</bdi>${renderTarget(label, href)}</span> ${extraIcons.external}
        </a>`;
      }
      const isChosen = view.chosen === action;
      // An answered card shows only the chosen action.
      if (!action || (view.chosen && !view.sending && !isChosen)) return nothing;
      return html`<button
        class="button ${style} ${isChosen ? 'chosen' : ''}"
        type=${button === submit ? 'submit' : 'button'}
        value=${action}
        ?disabled=${view.locked}
        @click=${(event: Event) => {
          event.preventDefault();
          view.onAction(action, skips_fields);
        }}
      >
        ${isChosen ? renderChosen(view) : nothing} <bdi>${label}</bdi>
      </button>`;
    })}
  </div>`;
}

/** Text that can contain no address. */
const plainText = /^[\p{L}\p{M}\p{N}\s,!?&()+'’–—-]*$/u;

/**
 * Renders the host of a link whose text contains another address. Without the Markdown extras, which
 * compare both, it is rendered if the text may contain one.
 */
function renderTarget(text: string, href: string) {
  const module = extras();
  const { host } = new URL(href);
  const isSafe = plainText.test(text) && !host.includes('xn--');
  const target = module ? module.targetToShow(text, href) : isSafe ? undefined : host;
  return target === undefined
    ? nothing
    : html` <span class="target"><bdi dir="ltr">(${target})</bdi></span>`;
}

function renderChosen({ sending, strings }: BlockView) {
  return sending
    ? html`<span class="spinner" aria-hidden="true"></span>`
    : html`${icons.check}<span class="visually-hidden">${`${strings.cardChosen}: `}</span>`;
}

export function renderList({ items }: BlockOf<'list'>, view: BlockView) {
  return html`<ul class="list" part="list">
    ${items.map((item) => {
      const image = item.image ? readImageAddress(item.image, view.imageOrigins) : undefined;
      const isChosen = item.action !== undefined && view.chosen === item.action;
      const href = item.action === undefined && item.url ? safeLink(item.url) : undefined;
      const body = html`${
        image?.src
          ? html`<img src=${image.src} alt="" loading="lazy" referrerpolicy="no-referrer" />`
          : nothing
      }
        <span class="words">
          <span class="name"><bdi>${item.title}</bdi></span>
          ${item.text ? html`<span class="more"><bdi>${item.text}</bdi></span>` : nothing}
          ${href ? renderTarget(`${item.title} ${item.text ?? ''}`, href) : nothing}
        </span>`;
      return html`<li class=${isChosen ? 'chosen' : ''}>
        ${renderItem({ action: item.action, href }, body, isChosen, view)}
      </li>`;
    })}
  </ul>`;
}

interface ItemTarget {
  readonly action: string | undefined;
  readonly href: string | undefined;
}

function renderItem(
  { action, href }: ItemTarget,
  body: unknown,
  isChosen: boolean,
  view: BlockView,
) {
  if (action) {
    return html`<button
      class="item"
      type="button"
      value=${action}
      ?disabled=${view.locked}
      @click=${() => view.onAction(action, false)}
    >
      ${body}
      ${isChosen ? renderChosen(view) : html`<span class="go" aria-hidden="true">${icons.chevron}</span>`}
    </button>`;
  }
  return href
    ? html`<a class="item" href=${href} target=${externalLink.target} rel=${externalLink.rel} referrerpolicy=${externalLink.referrerpolicy} aria-describedby=${externalLink['aria-describedby']}>
        ${body}<span class="go out">${extraIcons.external}</span>
      </a>`
    : html`<div class="item">${body}</div>`;
}

export function renderTable({ columns, rows }: BlockOf<'table'>, { strings }: BlockView) {
  const number = new Intl.NumberFormat(strings.locale, { maximumFractionDigits: 6 });
  // Columns of numbers are aligned to the end by default, so that they are easy to compare.
  const alignments = columns.map(
    ({ align }, column) =>
      align ??
      (rows.length > 0 && rows.every((row) => typeof row[column] === 'number') ? 'end' : 'start'),
  );
  return html`<div class="table" part="table" role="region" aria-label=${strings.table}>
    <table>
      <thead>
        <tr>
          ${columns.map(({ label }, column) => html`<th scope="col" class=${alignments[column] ?? ''}><bdi>${label}</bdi></th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((_, column) => {
                const cell = row[column] ?? '';
                const text = typeof cell === 'number' ? number.format(cell) : cell;
                return html`<td class=${alignments[column] ?? ''}><bdi>${text}</bdi></td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Renders an image; if its origin is not allowed, a button that loads it, as in Markdown. */
export function renderImage({ url, alt, caption }: BlockOf<'image'>, view: BlockView) {
  const escapedAlt = alt.replace(/[\\[\]!*_`<>&]/g, '\\$&').replace(/\s+/g, ' ');
  const address = url.replace(/[<>\\\s]/g, encodeURIComponent);
  return html`<figure part="image">
    <inlay-markdown
      .text=${`![${escapedAlt}](<${address}>)`}
      .imageOrigins=${view.imageOrigins}
      .strings=${view.strings}
    ></inlay-markdown>
    ${caption ? html`<figcaption><bdi>${caption}</bdi></figcaption>` : nothing}
  </figure>`;
}
