import type { Place } from './place.ts';

/** What is remembered of a launcher from page to page, while a tab visits a site. */
export interface Visit {
  /** Whether the panel was opened or closed last. Missing while it was neither. */
  open?: boolean | undefined;
  /** Where the user has put the bubble. */
  place?: Place | undefined;
  /** The teaser had its turn. */
  teased?: boolean | undefined;
  /** How many answers nobody has seen, and what the bubble is called for it. */
  unread?: { count: number; label: string } | undefined;
  /** A message was sent whose answer had not come yet. */
  waiting?: boolean | undefined;
}

/** What tells one launcher of a site from another. */
export interface VisitOptions {
  readonly baseUrl?: string | undefined;
  readonly publishableKey?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly agent?: string | undefined;
  /** `memory` keeps nothing. */
  readonly draftStorage?: string | undefined;
}

/**
 * Under which a visit is kept; empty where none is. Two launchers share it only where they lead to the
 * same chat.
 */
export function visitName(options: VisitOptions): string {
  const { baseUrl = '', publishableKey = '', tokenUrl = '', agent = '' } = options;
  if (options.draftStorage === 'memory') return '';
  return ['inlay:visit', baseUrl, publishableKey || tokenUrl, agent].join('|');
}

/** What was remembered; nothing where it was never written, or where storage is forbidden. */
export function readVisit(name: string): Visit {
  try {
    const visit = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Visit;
    const { place, unread } = visit;
    // The page can write there too, and versions of this file differ.
    return {
      ...visit,
      place: isShare(place?.up) ? place : undefined,
      unread: unread && unread.count > 0 ? unread : undefined,
    };
  } catch {
    // Without storage, or with something else in it, each page begins anew.
    return {};
  }
}

const isShare = (up = -1) => up >= 0 && up <= 1;

/** Remembers more; what is undefined is forgotten. */
export function changeVisit(name: string, change: Visit): void {
  if (!name) return;
  try {
    sessionStorage.setItem(name, JSON.stringify({ ...readVisit(name), ...change }));
  } catch {
    // As above.
  }
}

/** Under which windows the panel covers the page. */
export const covering = '(max-width: 560px), (max-height: 420px)';

/** Whether the entry of the browser's history that is current was made for this open panel. */
export function isOwnEntry(name: string): boolean {
  return (history.state as { inlay?: unknown } | null)?.inlay === name;
}

/**
 * Whether the panel was open on the page before and opens by itself on this one: beside the page.
 * A panel that covers it opens only when the same page is loaded again, by the entry it had made:
 * who followed a link to another page wants to see that.
 */
export function opensAgain(name: string, visit: Visit): boolean {
  return matchMedia(covering).matches ? isOwnEntry(name) : visit.open === true;
}
