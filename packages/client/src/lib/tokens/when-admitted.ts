import { onAbort } from '../wait.ts';
import type { TokenManager } from './token-manager.ts';

/** Resolves when the person may talk again, or at once for an aborted signal. */
export function whenAdmitted(tokens: TokenManager, signal: AbortSignal): Promise<void> {
  const waiting = () => tokens.ended && !signal.aborted;
  if (!waiting()) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (waiting()) return;
      undo();
      unlisten();
      resolve();
    };
    const undo = tokens.subscribe(look);
    const unlisten = onAbort(signal, look);
  });
}
