/** Flags for a browser that only ever visits this machine. */
export const chromiumFlags: string[];

/** The path of a Chromium on this machine; undefined means Playwright's own download. */
export function findChromium(env?: Record<string, string | undefined>): string | undefined;

/** Launch options for Playwright. */
export function chromiumLaunchOptions(): { args: string[]; executablePath?: string };
