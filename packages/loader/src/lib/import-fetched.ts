/**
 * Fetches a module into the HTTP cache, and then imports it. Firefox remembers a failed `import()` until
 * the page is reloaded, up to version 153 at least; a failed `fetch()` can be repeated
 * (https://bugzilla.mozilla.org/show_bug.cgi?id=2055211).
 *
 * @throws The error of the fetch, or one that names the URL of a failed request.
 */
export async function importFetched<Module>(url: string): Promise<Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(url);
  await response.text();
  return import(/* @vite-ignore */ url);
}
