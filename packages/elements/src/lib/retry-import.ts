/** Waits before the second and the third attempt, in milliseconds. */
const retryDelays = [500, 2_000];

/**
 * Runs a dynamic `import()`, and repeats it while the network fails. Chromium and WebKit fetch a
 * module again whose fetch failed; Firefox remembers the failure until the page is reloaded
 * (https://github.com/whatwg/html/issues/6768).
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
