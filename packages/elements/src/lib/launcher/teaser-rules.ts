/** When the teaser is shown. All rules that are given must hold. */
export interface TeaserRules {
  /** Path of the page, with `*` for any characters: `/pricing` or `/docs/*`. */
  readonly path?: string;
  /** Seconds since the page was loaded. */
  readonly seconds?: number;
  /** Visits of the site with this rule: tabs that the site was opened in, this one included. */
  readonly visits?: number;
  /** Scrolled share of the page, from 0 to 1. A page that cannot be scrolled counts as 1. */
  readonly scrolled?: number;
}

/** Milliseconds between two checks of the rules. */
const interval = 250;

const isNumber = (value: unknown) => typeof value === 'number' && value >= 0;

/** The values that each rule accepts, and their description. */
const accepted: Readonly<Record<keyof TeaserRules, [(value: unknown) => boolean, string]>> = {
  path: [(value) => typeof value === 'string', 'a path such as `/docs/*`'],
  seconds: [isNumber, 'a number of seconds'],
  visits: [isNumber, 'a number of visits'],
  scrolled: [(value) => isNumber(value) && (value as number) <= 1, 'a number from 0 to 1'],
};

/**
 * Calls `onHold` once, when all rules hold. Rules that are unknown or have an invalid value are reported on
 * the console, and ignored. They are checked repeatedly, because an application changes its path and its
 * height without an event.
 *
 * @param name - Storage key of the launcher; empty if nothing is stored, so that this is the first visit.
 * @returns A function that stops the checks.
 */
export function waitForRules(rules: TeaserRules, name: string, onHold: () => void): () => void {
  const valid = Object.fromEntries(Object.entries(rules).filter(isValid)) as TeaserRules;
  const visits = valid.visits === undefined ? 0 : countVisit(name);
  const check = () => {
    const hold =
      (valid.path === undefined || matches(valid.path, location.pathname)) &&
      performance.now() >= (valid.seconds ?? 0) * 1000 &&
      visits >= (valid.visits ?? 0) &&
      scrolledShare() >= (valid.scrolled ?? 0);
    if (!hold) return;
    clearInterval(timer);
    onHold();
  };
  const timer = setInterval(check, interval);
  return () => clearInterval(timer);
}

function isValid([rule, value]: [string, unknown]): boolean {
  const known = Object.hasOwn(accepted, rule) ? accepted[rule as keyof TeaserRules] : null;
  if (known?.[0](value) || (known && value === undefined)) return true;
  console.warn(
    known
      ? `showWhen: “${rule}” must be ${known[1]}, so it is ignored.`
      : `showWhen: there is no rule “${rule}”, so it is ignored. The rules are ${Object.keys(accepted).join(', ')}.`,
  );
  return false;
}

function matches(pattern: string, path: string): boolean {
  const source = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`).test(path);
}

function scrolledShare(): number {
  const { scrollHeight, clientHeight, scrollTop } =
    document.scrollingElement ?? document.documentElement;
  return scrollHeight > clientHeight ? scrollTop / (scrollHeight - clientHeight) : 1;
}

/** Returns the number of visits. A tab is counted once. */
function countVisit(name: string): number {
  const key = `${name}|visits`;
  try {
    const visits = Number(localStorage.getItem(key)) || 0;
    if (!name || sessionStorage.getItem(key)) return Math.max(visits, 1);
    sessionStorage.setItem(key, '1');
    localStorage.setItem(key, String(visits + 1));
    return visits + 1;
  } catch {
    // No storage: each page is a first visit.
    return 1;
  }
}
