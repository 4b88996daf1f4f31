/**
 * Fetches a module into the HTTP cache, and then imports it. In Firefox, at least up to version 153, a
 * failed `import()` fails again until the page is reloaded; a failed `fetch()` can be repeated
 * (https://bugzilla.mozilla.org/show_bug.cgi?id=2055211).
 *
 * @throws An error with the URL, and with the status or the error of the fetch.
 */
export async function importFetched<Module>(url: string): Promise<Module> {
  // Browsers do not name the URL in the error, for example if the page's policy blocks the request.
  const response = await fetch(url).catch((status) => ({ status }) as Response);
  if (!response.ok) throw new Error(`inlay: ${response.status} ${url}`);
  await response.text();
  return import(/* @vite-ignore */ url);
}
