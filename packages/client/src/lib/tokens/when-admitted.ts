import type { TokenManager } from './token-manager.ts';

/** Resolves when the person may talk again, or at once for an aborted signal. */
export function whenAdmitted(tokens: TokenManager, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (tokens.ended && !signal.aborted) return;
      undo();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const undo = tokens.subscribe(look);
    signal.addEventListener('abort', look, { once: true });
    look();
  });
}
