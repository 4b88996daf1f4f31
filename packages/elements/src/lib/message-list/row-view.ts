import type { Entry } from '@inlay/client';
import { html, nothing } from 'lit';
import { format } from '../i18n/format.ts';
import { timeOf } from '../i18n/times.ts';
import { type EntryView, type RowState, viewOfEntry } from './entry-view.ts';

function nameOf({ kind, at }: Entry, { strings, agentName }: EntryView): string {
  const name = kind === 'user' ? strings.youName : agentName || strings.agent;
  return format(strings.messageBy, { name, time: timeOf(strings, at, Date.now()) });
}

/** Renders an entry with the separators above it. The entry's element is the last child of the row. */
export function viewOfRow(entry: Entry, view: EntryView, state: RowState) {
  const { last, day, firstUnread, place } = state;
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
    }${viewOfEntry(entry, view, state)}</div
  >`;
}

/** Renders the skeleton of a conversation or of earlier entries that are loading. */
export const viewOfSkeleton = (isWhole: boolean, label: string) =>
  html`<div class="skeleton ${isWhole ? '' : 'earlier'}">
    <span class="visually-hidden">${label}</span>
    <i></i><i></i><i></i><i></i>
  </div>`;

/**
 * Renders the activity indicator, shown while the agent is running and no entry shows progress. Screen
 * reader users hear announcements instead.
 */
export const viewOfActivityIndicator = (label: string) =>
  html`<div class="pulse" aria-hidden="true"><i></i><i></i><i></i><span>${label}</span></div>`;
