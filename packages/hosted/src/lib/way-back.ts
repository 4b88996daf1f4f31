/**
 * Where the person came from: the way back that the platform knows for this page's agent, otherwise
 * the page that linked here. Null where neither is known.
 */
export function wayBack(): string | null {
  const known = document.querySelector<HTMLMetaElement>('meta[name="inlay-return-url"]')?.content;
  return webAddress(known) ?? webAddress(document.referrer);
}

function webAddress(value: string | undefined): string | null {
  if (!value || !URL.canParse(value)) return null;
  const url = new URL(value);
  // This page itself is no way back: it is what failed.
  if (url.origin === location.origin && url.pathname === location.pathname) return null;
  return /^https?:$/.test(url.protocol) ? url.href : null;
}
