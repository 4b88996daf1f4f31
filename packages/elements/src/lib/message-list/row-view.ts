import type { Entry } from '@inlay/client';
import { html, nothing } from 'lit';
import { format } from '../i18n/format.ts';
import { timeOf } from '../i18n/times.ts';
import { type EntryView, viewOfEntry } from './entry-view.ts';

export interface RowState {
  /** Whether it is the last entry. */
  readonly last: boolean;
  /** Label of the date separator above it; empty for none. */
  readonly day: string;
  /** Whether it is the first unread entry. */
  readonly firstUnread: boolean;
  /** Position among the messages; null for entries that are not messages. */
  readonly place: { readonly position: number; readonly count: number } | null;
}

function nameOf({ kind, at }: Entry, { strings, agentName }: EntryView): string {
  const name = kind === 'user' ? strings.youName : agentName || strings.agent;
  return format(strings.messageBy, { name, time: timeOf(strings, at, Date.now()) });
}

/** Renders an entry with the separators above it. The entry's element is the last child of the row. */
export function viewOfRow(
  entry: Entry,
  view: EntryView,
  { last, day, firstUnread, place }: RowState,
) {
  const divider = html`<div class="fresh" part="unread-separator"><span>${view.strings.newHere}</span></div>`;
  return html`<div
    class="row ${entry.kind} ${last ? 'last' : ''}"
    data-key=${entry.key}
    role=${place ? 'article' : nothing}
    tabindex=${place ? -1 : nothing}
    aria-label=${place ? nameOf(entry, view) : nothing}
    aria-posinset=${place ? place.position : nothing}
    aria-setsize=${place ? place.count : nothing}
    >${day ? html`<div class="day" part="date-separator">${day}</div>` : nothing}${
      firstUnread ? divider : nothing
    }${viewOfEntry(entry, view, last)}</div
  >`;
}

/** Renders the skeleton of a conversation or of earlier entries that are loading. */
export const viewOfSkeleton = (whole: boolean, label: string) =>
  html`<div class="skeleton ${whole ? '' : 'earlier'}">
    <span class="visually-hidden">${label}</span>
    <i></i><i></i><i></i><i></i>
  </div>`;

/** Activity indicator, shown while the agent is running and no entry shows it. */
export const pulse = html`<div class="pulse" aria-hidden="true"><i></i><i></i><i></i></div>`;
