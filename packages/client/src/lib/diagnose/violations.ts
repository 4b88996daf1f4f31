/** A request that the page's Content Security Policy blocked. */
export interface Violation {
  /** The origin of the request, or the browser's keyword for it. */
  readonly blocked: string;
  readonly directive: string;
}

/** Records requests that the page's policy blocks. */
export class ViolationObserver {
  readonly #violations: Violation[] = [];
  /** Null outside a document. */
  readonly #target: EventTarget | null = globalThis.document ?? null;

  constructor() {
    this.#target?.addEventListener('securitypolicyviolation', this.#record);
  }

  get isSupported(): boolean {
    return this.#target !== null;
  }

  get latest(): Violation | null {
    return this.#violations.at(-1) ?? null;
  }

  close(): void {
    this.#target?.removeEventListener('securitypolicyviolation', this.#record);
  }

  readonly #record = (event: Event) => {
    const { disposition, effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent;
    if (disposition !== 'enforce' || effectiveDirective !== 'connect-src') return;
    const blocked = /^https?:/.test(blockedURI) ? new URL(blockedURI).origin : 'an address';
    this.#violations.push({ blocked, directive: effectiveDirective });
  };
}
