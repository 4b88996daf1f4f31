/** A part of the client that is loaded when it is wanted, once for all conversations of the page. */
export class LateCode<Code extends object> {
  readonly #import: () => Promise<Code>;
  readonly #mark: keyof Code & string;
  #code: Code | null = null;
  #loading: Promise<Code> | null = null;

  /** `mark`: an export by which the code is known. */
  constructor(importCode: () => Promise<Code>, mark: keyof Code & string) {
    this.#import = importCode;
    this.#mark = mark;
  }

  /** The code; null until it is loaded. */
  get code(): Code | null {
    return this.#code;
  }

  /** Rejects as an import does. A further call tries again. */
  load(): Promise<Code> {
    this.#loading ??= this.#import()
      .catch((error: unknown) => importAgain<Code>(error, this.#mark))
      .then((code) => this.provide(code))
      .catch((error: unknown) => {
        this.#loading = null;
        throw error;
      });
    return this.#loading;
  }

  /** Has it there from the beginning: for tests, in which time stands still while files are loaded. */
  provide(code: Code): Code {
    this.#code = code;
    return code;
  }
}

let tries = 0;

/**
 * Most browsers remember that a file could not be fetched, and never fetch it again under the same
 * address, which their error names (https://github.com/whatwg/html/issues/6768): it is fetched under
 * another. For that, late code imports nothing but what is there at once, and what it imports late
 * itself. A bundler that loads files in its own way asks again by itself.
 */
export async function importAgain<Code extends object>(
  error: unknown,
  mark: keyof Code & string,
): Promise<Code> {
  const address = /: ([\w-]+:\/\/[^\s?#]+)$/.exec(String(error))?.[1];
  if (address === undefined) throw error;
  tries += 1;
  const code: Partial<Code> = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ `${address}?again=${tries}`
  );
  if (!code[mark]) throw error;
  return code as Code;
}
