import type { Inspector } from '@inlay/client/inspector';

let inspector: Inspector | null = null;

/** Loads and opens the inspector, which records every chat of the page. Replaces an open inspector. */
export async function startInspector(): Promise<void> {
  const { inspect } = await import('@inlay/client/inspector');
  inspector?.close();
  inspector = inspect();
}
