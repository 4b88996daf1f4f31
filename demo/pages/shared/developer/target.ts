import type { DiagnosisReport, InlayClient } from '@inlay/client';
import type {} from '@inlay/elements';

/** An element or client that can be diagnosed. */
export interface DiagnosisTarget {
  diagnose(): Promise<DiagnosisReport>;
  reset(): void;
}

let pageClient: DiagnosisTarget | null = null;

/** Sets the client of a page without elements. */
export function setDiagnosedClient(client: InlayClient): void {
  pageClient = client;
  client.onAuthChange(() => {
    const { status } = client.auth;
    dispatchEvent(new CustomEvent('inlay-auth-change', { detail: { status } }));
  });
}

/** Finds the chat of the page; null if there is none. */
export function findTarget(): DiagnosisTarget | null {
  const launcher = document.querySelector('inlay-launcher');
  if (!launcher) return pageClient ?? document.querySelector('inlay-chat');
  return { diagnose: () => launcher.diagnose(), reset: () => launcher.chat?.reset() };
}
