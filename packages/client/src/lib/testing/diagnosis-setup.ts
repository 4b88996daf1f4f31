import { afterEach, expect, vi } from 'vitest';
import { createInlayClient } from '../client.ts';
import type { Check, CheckId, DiagnosisReport } from '../diagnose/report.ts';
import type { InlayClient } from '../inlay-client.ts';
import type { Ports } from '../ports.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { closeSites, secret, validToken } from './diagnosis-site.ts';
import { FakePage } from './fake-page.ts';

const clients: InlayClient[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const client of clients.splice(0)) client.close();
  await closeSites();
});

export function clientOf(
  baseUrl: string,
  tokens: TokenSource,
  ports: Partial<Ports> = {},
): InlayClient {
  const client = createInlayClient({
    baseUrl,
    tokens,
    ports: { page: new FakePage(), ...ports },
  });
  clients.push(client);
  return client;
}

const startTime = Date.now();

/**
 * A clock at four times the speed, for tests that wait for a timeout or a backoff. Other tests don't use
 * it, because it also shortens the time limits of real requests.
 */
export const fastClock: Ports['clock'] = {
  now: () => startTime + 4 * (Date.now() - startTime),
  mono: () => 4 * performance.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds / 4),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

export const validTokens = () => hostTokens(() => validToken);

/** Diagnoses a client, and checks that the report contains no secret. */
export async function diagnose(client: InlayClient): Promise<DiagnosisReport> {
  const report = await client.diagnose();
  expect(JSON.stringify(report)).not.toContain(secret);
  return report;
}

export function check(report: DiagnosisReport, id: CheckId): Check {
  const found = report.checks.find((each) => each.id === id);
  if (!found) throw new Error(`There is no check ${id}.`);
  return found;
}

/** Returns the checks that failed or warn, as `id: outcome`. */
export function problemsOf({ checks }: DiagnosisReport): string[] {
  return checks
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
    .map(({ id, outcome }) => `${id}: ${outcome}`);
}
