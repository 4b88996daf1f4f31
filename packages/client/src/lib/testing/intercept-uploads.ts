/**
 * Redirects uploads with `XMLHttpRequest` to the `fetch` of a platform within this page. Requests to
 * other addresses are unchanged. Returns a function that restores `XMLHttpRequest`.
 */
export function interceptUploads(
  isOurs: (url: string) => boolean,
  fetch: typeof globalThis.fetch,
): () => void {
  const original = globalThis.XMLHttpRequest;
  // Node has no `XMLHttpRequest`.
  if (original === undefined) return () => {};
  globalThis.XMLHttpRequest = class extends original {
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
        this.#dispatchProgress(0);
        const { signal } = this.#controller;
        const init = { method: 'POST', headers: this.#headers, body, signal };
        const response = await fetch(url, init);
        const responseText = await response.text();
        const { status, headers } = response;
        const headerText = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const responseProperties = {
          status: { value: status },
          responseText: { value: responseText },
          getResponseHeader: { value: (name: string) => headers.get(name) },
          getAllResponseHeaders: { value: () => headerText },
        };
        Object.defineProperties(this, responseProperties);
        this.#dispatchProgress(1);
        this.dispatchEvent(new ProgressEvent('load'));
      } catch {
        this.dispatchEvent(new ProgressEvent(this.#controller.signal.aborted ? 'abort' : 'error'));
      }
    }

    #dispatchProgress(loaded: number): void {
      this.upload.dispatchEvent(
        new ProgressEvent('progress', { lengthComputable: true, loaded, total: 1 }),
      );
    }
  };
  return () => {
    globalThis.XMLHttpRequest = original;
  };
}
