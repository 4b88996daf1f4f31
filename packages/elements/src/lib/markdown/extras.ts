type Extras = typeof import('./markdown-extras.ts');

let installed: Extras | undefined;

/**
 * The code for Markdown that few answers contain (`markdown-extras.ts`), once it is loaded. Without it,
 * that syntax is shown as text.
 */
export const extras = (): Extras | undefined => installed;

/** Provides the module to all Markdown elements of the page. */
export function installExtras(module: Extras | undefined): void {
  installed = module;
}
