/**
 * Finds the address of the host site: the return URL of the agent, or else the referrer.
 *
 * @returns An `http:` or `https:` URL; null if neither is known.
 */
export function findReturnUrl(): string | null {
  const configured = document.querySelector<HTMLMetaElement>(
    'meta[name="inlay-return-url"]',
  )?.content;
  return readWebAddress(configured) ?? readWebAddress(document.referrer);
}

function readWebAddress(value: string | undefined): string | null {
  if (!value || !URL.canParse(value)) return null;
  const url = new URL(value);
  // After a reload, the referrer can be this page.
  if (url.origin === location.origin && url.pathname === location.pathname) return null;
  return /^https?:$/.test(url.protocol) ? url.href : null;
}
