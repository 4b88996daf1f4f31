import { type Finding, okFinding, skippedFinding, warningFinding } from './findings.ts';

/** The consequences if the page cannot write to a storage. */
const consequences = {
  localStorage: 'each page load counts as a new visitor unless the user is signed in',
  sessionStorage: 'unsent messages and drafts do not survive a reload',
} as const;

/** Checks whether the page can store data between page loads. */
export function checkStorage(): Finding {
  if (typeof document === 'undefined')
    return skippedFinding('There is no page, and thus no storage.');
  const errors = {
    localStorage: storageError('localStorage'),
    sessionStorage: storageError('sessionStorage'),
  };
  const names = (['localStorage', 'sessionStorage'] as const).filter((name) => errors[name] !== '');
  const facts = Object.fromEntries(names.map((name) => [name, errors[name]]));
  if (names.length > 0) {
    const effects = names.map((name) => consequences[name]).join('; and ');
    const isFull = names.some((name) => errors[name] === 'QuotaExceededError');
    return warningFinding(
      `The page can’t write to ${names.join(' and ')}${isFull ? ', which is full or has no quota' : ''}. The chat works, but ${effects}.`,
      isFull
        ? 'Remove data that other scripts of this page store there. A private window may have no quota.'
        : 'Usually the cause is the browser’s setting for cookies and site data. A sandboxed frame needs allow-same-origin.',
      facts,
    );
  }
  if (isInThirdPartyFrame()) {
    return warningFinding(
      'This page is in a frame of another site. Browsers partition the storage of such frames, or delete it soon: the same visitor counts as another one outside the frame.',
      'Add the chat to the outer page, or let users sign in. Everything else works.',
      { framed: true },
    );
  }
  return okFinding('The page can store drafts and visitors between page loads.');
}

const testKey = 'inlay:diagnosis';

/**
 * Returns the name of the error that writing to a storage throws; empty if it works. Even reading the
 * global can throw.
 */
function storageError(name: keyof typeof consequences): string {
  try {
    const storage = globalThis[name];
    storage.setItem(testKey, '1');
    storage.removeItem(testKey);
    return '';
  } catch (error) {
    return error instanceof DOMException ? error.name : 'Error';
  }
}

function isInThirdPartyFrame(): boolean {
  try {
    // Reading the location of a cross-origin window throws.
    return window.top?.location.href === undefined;
  } catch {
    return true;
  }
}
