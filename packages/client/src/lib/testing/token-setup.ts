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

/** Creates a token manager with a fake clock, and a host page that provides `et_1`, `et_2`, … */
export function setupTokens(options: TokenSetup = {}) {
  const clock = new FakeClock();
  const page = new FakePage();
  const diagnostics: Diagnostic[] = [];
  const tokenCalls: { current: string | null; at: number }[] = [];
  let concurrent = 0;
  let maxConcurrent = 0;
  const issue = options.getToken ?? (() => `et_${tokenCalls.length}`);
  const getToken: GetToken = async (current) => {
    tokenCalls.push({ current, at: clock.mono() });
    concurrent += 1;
    maxConcurrent = Math.max(maxConcurrent, concurrent);
    try {
      return await issue(current);
    } finally {
      concurrent -= 1;
    }
  };
  const rejectedTokens = new Map<string, string>();
  const described: string[] = [];
  const manager = new TokenManager({
    source: options.source ?? hostTokens(getToken),
    baseUrl: 'http://platform.test',
    ports: browserPorts({ clock, page, random: options.random ?? (() => 0.5) }),
    describe: async (token) => {
      described.push(token);
      const code = rejectedTokens.get(token);
      if (code) throw rejectionError(code);
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
    tokenCalls,
    described,
    diagnostics,
    states,
    /** Makes the platform reject a token with this code. */
    rejectToken: (token: string, code: string) => void rejectedTokens.set(token, code),
    /** Returns the highest number of concurrent calls of `getToken`. */
    maxConcurrent: () => maxConcurrent,
  };
}

/** Returns the error of a response with which the platform rejects a token, or is down. */
export function rejectionError(code: string): InlayError {
  if (code === 'SERVICE_UNAVAILABLE') {
    return new InlayError(code, 'The platform is down.', { status: 503, retryable: true });
  }
  const status = code.includes('BLOCKED') || code.includes('ORIGIN') ? 403 : 401;
  return new InlayError(code, 'The platform rejected the token.', { status });
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

/** Returns a `getToken` that returns or throws these results one by one, and repeats the last result. */
export function getTokenResults(...results: (string | null | Error)[]): GetToken {
  return () => {
    const next = results.length > 1 ? results.shift() : results[0];
    if (next instanceof Error) throw next;
    return next;
  };
}
