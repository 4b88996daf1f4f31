import { onAbort } from '../wait.ts';
import type { TokenManager } from './token-manager.ts';

/** Resolves when access is no longer denied, and at once for an aborted signal. */
export function waitForAuth(tokens: TokenManager, signal: AbortSignal): Promise<void> {
  const isWaiting = () => tokens.ended && !signal.aborted;
  if (!isWaiting()) return Promise.resolve();
  return new Promise((resolve) => {
    const check = () => {
      if (isWaiting()) return;
      unsubscribe();
      removeAbortListener();
      resolve();
    };
    const unsubscribe = tokens.subscribe(check);
    const removeAbortListener = onAbort(signal, check);
  });
}
