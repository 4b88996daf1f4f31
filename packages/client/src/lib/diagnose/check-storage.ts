import { type Finding, ok, skipped, warning } from './finding.ts';

const lost = {
  localStorage: 'a visitor who is not signed in is a new one at every page load',
  sessionStorage:
    'a message that was not sent yet, and what stands in the text field, do not survive a reload',
} as const;

/** Checks whether the page can store data between page loads. */
export function checkStorage(): Finding {
  if (typeof document === 'undefined') return skipped('There is no page here, and no storage.');
  const faults = {
    localStorage: faultOf('localStorage'),
    sessionStorage: faultOf('sessionStorage'),
  };
  const names = (['localStorage', 'sessionStorage'] as const).filter((name) => faults[name] !== '');
  const facts = Object.fromEntries(names.map((name) => [name, faults[name]]));
  if (names.length > 0) {
    const losses = names.map((name) => lost[name]).join('; and ');
    const full = names.some((name) => faults[name] === 'QuotaExceededError');
    return warning(
      `The page can’t write to ${names.join(' and ')}${full ? ', which is full or has no room at all' : ''}. The chat works without: ${losses}.`,
      full
        ? 'Remove what other scripts of this page keep there. A private window may also give none.'
        : 'Mostly it is this browser’s setting for cookies and site data. In a frame it takes allow-same-origin in its sandbox.',
      facts,
    );
  }
  if (inForeignFrame()) {
    return warning(
      'This page is in a frame of another site. Browsers keep its storage apart for each such site, or delete it soon: a visitor is then somebody else here than on the page by itself.',
      'Put the chat into the outer page, or let people sign in. Nothing else is lost.',
      { framed: true },
    );
  }
  return ok('The page can keep drafts and visitors between loads.');
}

const key = 'inlay:diagnosis';

/**
 * Returns the name of the error of a storage; empty without one. Accessing it may throw as well.
 */
function faultOf(name: keyof typeof lost): string {
  try {
    const storage = globalThis[name];
    storage.setItem(key, '1');
    storage.removeItem(key);
    return '';
  } catch (error) {
    return error instanceof DOMException ? error.name : 'Error';
  }
}

function inForeignFrame(): boolean {
  try {
    // Reading the location of a cross-origin window throws.
    return window.top?.location.href === undefined;
  } catch {
    return true;
  }
}
