import type { Place } from './place.ts';

/** State of a launcher that is kept across page loads: the position for the site, the rest for the tab. */
export interface Visit {
  /** Whether the panel is open; undefined if it was never opened or closed. */
  open?: boolean | undefined;
  /** Position of the bubble set by the user. */
  place?: Place | undefined;
  /** Whether the teaser was shown. */
  teased?: boolean | undefined;
  /** Number of unread agent messages, and the bubble's label for it. */
  unread?: { count: number; label: string } | undefined;
  /** Whether an agent message is pending. */
  waiting?: boolean | undefined;
}

/** Options that identify a launcher of a site. */
export interface VisitOptions {
  readonly baseUrl?: string | undefined;
  readonly publishableKey?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly agent?: string | undefined;
  /** With `memory`, nothing is stored. */
  readonly draftStorage?: string | undefined;
}

/** Storage key of a visit; empty if nothing is stored. Launchers of the same chat share it. */
export function visitName(options: VisitOptions): string {
  if (options.draftStorage === 'memory') return '';
  return [
    'inlay:visit',
    options.baseUrl,
    options.publishableKey || options.tokenUrl,
    options.agent,
  ].join('|');
}

/** Reads the stored state; empty if there is none or storage is not available. */
export function readVisit(name: string): Visit {
  try {
    const visit = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Visit;
    const { unread } = visit;
    const { place } = JSON.parse(localStorage.getItem(name) ?? '{}') as Visit;
    // Validated, because the page or another version may have written it.
    return {
      ...visit,
      place: isFraction(place?.up) ? place : undefined,
      unread: unread && unread.count > 0 ? unread : undefined,
    };
  } catch {
    // No storage or invalid content: the page starts without state.
    return {};
  }
}

/** Text of the badge for a number of unread messages. */
export const badgeText = (count: number): string => (count > 9 ? '9+' : String(count));

const isFraction = (up: unknown) => (up as number) >= 0 && (up as number) <= 1;

/** Merges a change into the stored state; undefined values are removed. A new position is a change of its own. */
export function changeVisit(name: string, change: Visit): void {
  if (!name) return;
  try {
    if (change.place) localStorage.setItem(name, JSON.stringify(change));
    else sessionStorage.setItem(name, JSON.stringify({ ...readVisit(name), ...change }));
  } catch {
    // No storage: the change is not kept.
  }
}

/** Media query under which the panel covers the page. */
export const coveringQuery = '(max-width: 560px), (max-height: 420px)';

/** Whether the current history entry was added for the open panel of this launcher. */
export function isOwnEntry(name: string): boolean {
  return (history.state as { inlay?: unknown } | null)?.inlay === name;
}

/**
 * Whether to open the panel because it was open on the previous page. A panel that covers the page is
 * opened only after a reload, which is detected by its history entry: a user who followed a link
 * wants to see the new page.
 */
export function shouldReopen(name: string, visit: Visit): boolean {
  return matchMedia(coveringQuery).matches ? isOwnEntry(name) : visit.open === true;
}
