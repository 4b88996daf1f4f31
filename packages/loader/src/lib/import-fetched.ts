/**
 * Fetches a module into the HTTP cache, and then imports it. In Firefox, at least up to version 153, a
 * failed `import()` fails again until the page is reloaded; a failed `fetch()` can be repeated
 * (https://bugzilla.mozilla.org/show_bug.cgi?id=2055211).
 *
 * @throws The error of the fetch, or an error with the URL if the status is not 2xx.
 */
export async function importFetched<Module>(url: string): Promise<Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`inlay: ${response.status} ${url}`);
  await response.text();
  return import(/* @vite-ignore */ url);
}
