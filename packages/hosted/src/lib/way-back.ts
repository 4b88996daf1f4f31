const key = 'inlay.return-url';

/**
 * Where the person came from: the agent's `return_url` once it was known in this tab, otherwise the
 * page that linked here. Null where neither is known.
 */
export function wayBack(): string | null {
  return webAddress(read()) ?? webAddress(document.referrer);
}

/** Keeps the agent's `return_url` for this tab, because a reload can't ask for it again. */
export function rememberWayBack(url: string | null | undefined): void {
  const address = webAddress(url);
  try {
    if (address) sessionStorage.setItem(key, address);
  } catch {
    // Storage is off: the referrer has to do.
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function webAddress(value: string | null | undefined): string | null {
  if (!value || !URL.canParse(value)) return null;
  const url = new URL(value);
  // This page itself is no way back: it is what failed.
  if (url.origin === location.origin && url.pathname === location.pathname) return null;
  return /^https?:$/.test(url.protocol) ? url.href : null;
}
