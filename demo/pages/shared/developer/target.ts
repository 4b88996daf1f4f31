import type { DiagnosisReport, InlayClient } from '@inlay/client';
import type {} from '@inlay/elements';

/** What can be diagnosed: an element, or a client. */
export interface Target {
  diagnose(): Promise<DiagnosisReport>;
  reset(): void;
}

let own: Target | null = null;

/** For a page that draws the conversation itself, and has no element. */
export function offerToDeveloper(client: InlayClient): void {
  own = client;
  client.onAuthChange(() => {
    const { status } = client.auth;
    dispatchEvent(new CustomEvent('inlay-auth-change', { detail: { status } }));
  });
}

/** The chat of this page; null while there is none. */
export function findTarget(): Target | null {
  const launcher = document.querySelector('inlay-launcher');
  if (!launcher) return own ?? document.querySelector('inlay-chat');
  return { diagnose: () => launcher.diagnose(), reset: () => launcher.chat?.reset() };
}
