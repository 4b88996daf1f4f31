/** Waits before the second and the third attempt, in milliseconds. */
const retryDelays = [500, 2_000];

/** A value that is loaded when it is first needed. */
export interface Lazy<Value> {
  /** The value, once it has loaded. */
  readonly value: Value | undefined;
  /** Loads the value, once. Resolves to undefined if that fails; the next call tries again. */
  load(): Promise<Value | undefined>;
}

/**
 * Creates a value that `load`, usually a dynamic `import()`, provides when it is first needed. A failed
 * attempt is repeated up to twice. Chromium and WebKit fetch a failed module again, as the HTML standard
 * requires. Firefox, at least up to version 153, remembers the failure of a URL until the page is reloaded
 * (https://bugzilla.mozilla.org/show_bug.cgi?id=2055211). Another URL would not help there: other chunks
 * import the failed URL, and the bundlers of host pages choose the URLs.
 */
export function lazy<Value>(load: () => Promise<Value>): Lazy<Value> {
  let value: Value | undefined;
  let pending: Promise<Value | undefined> | undefined;

  async function attempt(): Promise<Value | undefined> {
    for (const wait of [...retryDelays, undefined]) {
      try {
        value = await load();
        return value;
      } catch {
        if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    pending = undefined;
    return undefined;
  }

  return {
    get value() {
      return value;
    },
    load() {
      pending ??= attempt();
      return pending;
    },
  };
}
