import type { Diagnostic } from '../diagnostics.ts';
import { InlayError } from '../errors.ts';
import { browserPorts } from '../ports.ts';
import { type GetToken, hostTokens } from '../tokens/sources/host.ts';
import { TokenManager } from '../tokens/token-manager.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { FakeClock } from './fake-clock.ts';
import { FakePage } from './fake-page.ts';

export const minute = 60_000;

export interface TokenSetup {
  getToken?: GetToken;
  source?: TokenSource;
  /** Lifetime of every token, in milliseconds; five minutes by default. */
  lifetime?: number;
  subject?: (token: string) => string;
  random?: () => number;
  onSubjectChange?: () => void;
}

/** Creates a token manager with a fake clock and a host that issues `et_1`, `et_2`, … */
export function setupTokens(options: TokenSetup = {}) {
  const clock = new FakeClock();
  const page = new FakePage();
  const diagnostics: Diagnostic[] = [];
  const asked: { current: string | null; at: number }[] = [];
  let inFlight = 0;
  let mostInFlight = 0;
  const give = options.getToken ?? (() => `et_${asked.length}`);
  const getToken: GetToken = async (current) => {
    asked.push({ current, at: clock.mono() });
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    try {
      return await give(current);
    } finally {
      inFlight -= 1;
    }
  };
  const dead = new Map<string, string>();
  const described: string[] = [];
  const manager = new TokenManager({
    source: options.source ?? hostTokens(getToken),
    baseUrl: 'http://platform.test',
    ports: browserPorts({ clock, page, random: options.random ?? (() => 0.5) }),
    describe: async (token) => {
      described.push(token);
      const code = dead.get(token);
      if (code) throw refusal(code);
      const lifetime = options.lifetime ?? 5 * minute;
      // The platform's clock is independent of this machine's.
      return { lifetime, subject: options.subject?.(token) ?? 'ada', serverTime: 1_000_000 };
    },
    ...(options.onSubjectChange ? { onSubjectChange: options.onSubjectChange } : {}),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const states: string[] = [];
  manager.subscribe(() => states.push(manager.state.status));
  return {
    manager,
    clock,
    page,
    asked,
    described,
    diagnostics,
    states,
    /** Makes the platform refuse a token with this code. */
    kill: (token: string, code: string) => void dead.set(token, code),
    mostInFlight: () => mostInFlight,
  };
}

/** Returns an error as of a response of the platform. */
export function refusal(code: string): InlayError {
  if (code === 'SERVICE_UNAVAILABLE') {
    return new InlayError(code, 'The platform is down.', { status: 503, retryable: true });
  }
  const status = code.includes('BLOCKED') || code.includes('ORIGIN') ? 403 : 401;
  return new InlayError(code, 'The platform said no.', { status });
}

/** Returns the code with which a promise rejects; `resolved` if it does not. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'resolved';
  } catch (error) {
    return error instanceof InlayError ? error.code : `not an InlayError: ${String(error)}`;
  }
}

/** Returns a `getToken` with one result for each call. */
export function answers(...list: (string | null | Error)[]): GetToken {
  return () => {
    const next = list.length > 1 ? list.shift() : list[0];
    if (next instanceof Error) throw next;
    return next;
  };
}
