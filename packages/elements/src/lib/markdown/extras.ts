type Extras = typeof import('./markdown-extras.ts');

let installedExtras: Extras | undefined;

/**
 * Returns the lazy-loaded module for rare Markdown syntax (`markdown-extras.ts`), if it is loaded.
 * Without it, that syntax is shown as text.
 */
export const extras = (): Extras | undefined => installedExtras;

/** Provides the module to all Markdown elements of the page. */
export function installExtras(module: Extras | undefined): void {
  installedExtras = module;
}
