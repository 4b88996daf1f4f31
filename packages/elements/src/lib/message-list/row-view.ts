import type { Entry } from '@inlay/client';
import { html, nothing } from 'lit';
import { format } from '../i18n/format.ts';
import { timeOf } from '../i18n/times.ts';
import { type EntryView, viewOfEntry } from './entry-view.ts';

export interface RowState {
  /** Nothing was said after it. */
  readonly last: boolean;
  /** The day that begins with it; empty where none does. */
  readonly day: string;
  /** It is the first that came while the reader was away. */
  readonly fresh: boolean;
  /** Which message of how many it is; null for what is no message. */
  readonly place: { readonly position: number; readonly count: number } | null;
}

function nameOf({ kind, at }: Entry, { strings, agentName }: EntryView): string {
  const name = kind === 'user' ? strings.youName : agentName || strings.agent;
  return format(strings.messageBy, { name, time: timeOf(strings, at, Date.now()) });
}

/** An entry with what stands above it. The entry's own element comes last in the row. */
export function viewOfRow(entry: Entry, view: EntryView, { last, day, fresh, place }: RowState) {
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
      fresh ? divider : nothing
    }${viewOfEntry(entry, view, last)}</div
  >`;
}

/** Stands for what is being loaded: a whole conversation, or what came before the first row. */
export const viewOfSkeleton = (whole: boolean, words: string) =>
  html`<div class="skeleton ${whole ? '' : 'earlier'}">
    <span class="visually-hidden">${words}</span>
    <i></i><i></i><i></i><i></i>
  </div>`;

/** Three dots while the agent works and nothing on screen shows it. */
export const pulse = html`<div class="pulse" aria-hidden="true"><i></i><i></i><i></i></div>`;
