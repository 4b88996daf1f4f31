/**
 * Redirects uploads with `XMLHttpRequest` to the `fetch` of a platform within this page. Requests to
 * other addresses are unchanged. Returns the function that ends it.
 */
export function interceptUploads(
  isOurs: (url: string) => boolean,
  fetch: typeof globalThis.fetch,
): () => void {
  const former = globalThis.XMLHttpRequest;
  // Node has no `XMLHttpRequest`.
  if (former === undefined) return () => {};
  globalThis.XMLHttpRequest = class extends former {
    readonly #controller = new AbortController();
    readonly #headers = new Headers();
    #url: string | null = null;

    override open(method: string, url: string | URL): void {
      if (isOurs(String(url))) this.#url = String(url);
      else super.open(method, url);
    }

    override setRequestHeader(name: string, value: string): void {
      if (this.#url === null) super.setRequestHeader(name, value);
      else this.#headers.set(name, value);
    }

    override send(body: FormData): void {
      if (this.#url === null) super.send(body);
      else void this.#send(this.#url, body);
    }

    override abort(): void {
      this.#controller.abort();
      super.abort();
    }

    async #send(url: string, body: FormData): Promise<void> {
      try {
        this.#progress(0);
        const { signal } = this.#controller;
        const init = { method: 'POST', headers: this.#headers, body, signal };
        const response = await fetch(url, init);
        const responseText = await response.text();
        const { status, headers } = response;
        const all = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const answers = {
          status: { value: status },
          responseText: { value: responseText },
          getResponseHeader: { value: (name: string) => headers.get(name) },
          getAllResponseHeaders: { value: () => all },
        };
        Object.defineProperties(this, answers);
        this.#progress(1);
        this.dispatchEvent(new ProgressEvent('load'));
      } catch {
        this.dispatchEvent(new ProgressEvent(this.#controller.signal.aborted ? 'abort' : 'error'));
      }
    }

    #progress(loaded: number): void {
      this.upload.dispatchEvent(
        new ProgressEvent('progress', { lengthComputable: true, loaded, total: 1 }),
      );
    }
  };
  return () => {
    globalThis.XMLHttpRequest = former;
  };
}
