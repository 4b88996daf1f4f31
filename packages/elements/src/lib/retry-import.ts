/** Waits before the second and the third attempt, in milliseconds. */
const retryDelays = [500, 2_000];

/**
 * Runs a dynamic `import()`, and repeats it up to twice if it fails. Chromium and WebKit fetch the
 * module again, as the HTML standard requires. Firefox, at least up to version 153, remembers the failure
 * of a URL until the page is reloaded (https://bugzilla.mozilla.org/show_bug.cgi?id=2055211). A retry with
 * another URL would not help there: other chunks import the failed URL, and the bundlers of host pages
 * choose the URLs.
 *
 * @returns The module.
 * @throws The error of the third attempt.
 */
export async function retryImport<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const wait of retryDelays) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return load();
}
