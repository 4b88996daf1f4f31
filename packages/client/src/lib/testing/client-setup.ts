import { afterEach } from 'vitest';
import { createInlayClient } from '../client.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Conversation } from '../inlay-client.ts';
import type { Ports } from '../ports.ts';
import { type GetToken, hostTokens } from '../tokens/sources/host.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { FakePage } from './fake-page.ts';
import { PlatformServer } from './platform-server.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Creates a client and a platform that communicate over HTTP. Without jitter, retries take no time. */
export async function setupClient(
  options: { getToken?: GetToken; source?: TokenSource; ports?: Partial<Ports> } = {},
) {
  const platform = await PlatformServer.start();
  const page = new FakePage();
  const diagnostics: Diagnostic[] = [];
  let clockOffset = 0;
  const clock = {
    now: () => Date.now() + clockOffset,
    mono: () => performance.now(),
    setTimeout: (callback: () => void, milliseconds: number) => setTimeout(callback, milliseconds),
    clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  };
  /** The `current` argument of each call of `getToken`. */
  const tokenCalls: (string | null)[] = [];
  const issue = options.getToken ?? (() => `et_${tokenCalls.length}`);
  const getToken: GetToken = (current) => {
    tokenCalls.push(current);
    return issue(current);
  };
  const client = createInlayClient({
    baseUrl: platform.baseUrl,
    tokens: options.source ?? hostTokens(getToken),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ports: { random: () => 0, page, clock, ...options.ports },
  });
  cleanups.push(
    () => platform.stop(),
    () => client.close(),
  );
  /** Advances only the wall clock. */
  const skipTime = (milliseconds: number) => {
    clockOffset += milliseconds;
  };
  return { platform, page, client, tokenCalls, diagnostics, skipTime };
}

/** Waits for a condition, until the time limit of the test. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns one line for each entry of a conversation. */
export function shownEntries(conversation: Conversation): string[] {
  return conversation.state.entries.map((entry) => {
    if (entry.kind === 'user') return `${entry.text} (${entry.delivery})`;
    if (entry.kind === 'agent') return `> ${entry.text} (${entry.progress})`;
    return entry.kind === 'tool' ? `tool ${entry.name} (${entry.progress})` : entry.kind;
  });
}
