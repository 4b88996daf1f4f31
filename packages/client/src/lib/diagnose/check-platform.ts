import type { InlayError } from '../errors.ts';
import { agentPath } from '../http/request.ts';
import type { Ports } from '../ports.ts';
import { readProblem } from '../responses/read-responses.ts';
import {
  type Finding,
  factsOf,
  failedFinding,
  isLoopback,
  matchingText,
  okFinding,
  skippedFinding,
} from './findings.ts';
import type { Probes, ViolationObserver } from './probe.ts';

/** A failed check, after which the other checks of the platform are skipped. */
export interface Obstacle {
  readonly id: 'platform' | 'cors' | 'csp';
  readonly finding: Finding;
}

/** Dependencies of the checks of the platform. */
export interface PlatformCheckContext {
  /** The address of the platform, without user and query. */
  readonly platform: string;
  readonly ports: Ports;
  readonly probes: Probes;
  readonly violations: ViolationObserver;
}

export const healthPath = '/meta/v1/health';

/** Checks the platform's address. Returns a finding if the platform is healthy, otherwise an obstacle. */
export async function checkPlatform(context: PlatformCheckContext): Promise<Finding | Obstacle> {
  const response = await context.probes.get(`${context.platform}${healthPath}`);
  if (response === null) return explainUnreachable(context);
  if (response === 'timeout') return { id: 'platform', finding: explainTimeout(context) };
  const finding = await readHealth(response, context);
  return finding.outcome === 'ok' ? finding : { id: 'platform', finding };
}

async function readHealth(
  response: Response,
  { platform }: PlatformCheckContext,
): Promise<Finding> {
  const { status, type } = response;
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return failedFinding(
      `${platform} redirects to another address. The client follows no redirects, because they would receive the token.`,
      'Set base-url to the target of the redirect. Often only https:// instead of http://, or www., is missing.',
    );
  }
  const body: unknown = await response.json().catch(() => null);
  const { status: health, version, code } = Object(body);
  const facts = { status };
  if (response.ok && (health === 'ok' || health === 'degraded')) {
    const known = matchingText(String(version ?? ''), /^[\w.+-]{1,32}$/);
    return okFinding('The platform responds.', known ? { ...facts, version: known } : facts);
  }
  if (status >= 500) {
    return code === 'SERVICE_UNAVAILABLE'
      ? failedFinding(
          'The platform responds that it is temporarily unavailable: it can’t reach its database.',
          'Check the platform’s log and its database.',
          facts,
        )
      : failedFinding(
          `${platform} responded with ${status}. Usually this is a proxy that can’t reach the platform behind it.`,
          'Check that the platform is running, and that the proxy forwards requests to its port.',
          facts,
        );
  }
  const isHtml = /\bhtml\b/i.test(response.headers.get('content-type') ?? '');
  return failedFinding(
    `${platform} responded with ${status}${isHtml ? ' and a web page' : ''}: this is not an Inlay platform.`,
    'Set base-url to the address of the platform, which responds to /meta/v1/health. It is not the address of your own site, unless a proxy there forwards /agent and /meta.',
    { ...facts, html: isHtml },
  );
}

function explainTimeout({ platform }: PlatformCheckContext): Finding {
  return failedFinding(
    `${platform} does not respond in time.`,
    'Check that the platform is running and not overloaded, and that no firewall drops the requests.',
  );
}

async function explainUnreachable(context: PlatformCheckContext): Promise<Obstacle> {
  const { platform, ports, probes, violations } = context;
  await probes.waitForViolations();
  if (violations.latest) return { id: 'csp', finding: checkContentSecurityPolicy(violations) };
  if (!ports.page.online()) {
    const remedy = 'Connect this machine, and run the diagnosis again.';
    return { id: 'platform', finding: failedFinding('This browser is offline.', remedy) };
  }
  if (globalThis.location?.protocol === 'https:' && isMixed(platform)) {
    return {
      id: 'platform',
      finding: failedFinding(
        'The page was loaded over https, but the platform’s address is http: browsers block this as mixed content.',
        'Serve the platform over https, and set base-url to its https:// address.',
      ),
    };
  }
  if ((await probes.get(`${platform}${healthPath}`, 'no-cors')) instanceof Response) {
    return {
      id: 'cors',
      finding: failedFinding(
        'The address responds, but the page may not read the response: its CORS headers are missing or wrong. The platform sends them itself, so this is another server, or a proxy that removes them or adds its own.',
        'Check that base-url is the platform’s address, and that the proxy in front of it neither removes nor duplicates Access-Control-Allow-Origin. Check the response in the network panel too: error pages of a proxy (502, 504, 413) have no CORS headers, and then the error itself must be fixed.',
      ),
    };
  }
  return {
    id: 'platform',
    finding: failedFinding(
      `${platform} can’t be reached.`,
      'Check that the address is right, that the platform is running, that its certificate is valid, and that no firewall or content blocker blocks it.',
    ),
  };
}

/** Returns the obstacle that the first response of the agent service indicates; null if there is none. */
export async function checkAgentService(
  context: PlatformCheckContext,
  error: InlayError | null,
): Promise<Obstacle | null> {
  if (error?.code === 'TOO_LATE') return { id: 'platform', finding: explainTimeout(context) };
  if (error?.code === 'NETWORK_ERROR') return explainLostRequest(context);
  const isUnexpected = error?.code === 'UNEXPECTED_RESPONSE';
  const status = error?.status ?? 0;
  if (!error || !(isUnexpected || (error.problem && status >= 500))) return null;
  const problem = `the response is ${status}${isUnexpected ? ' from a server that is not the platform' : ''}`;
  return { id: 'platform', finding: agentServiceUnreachable(context, problem, factsOf(error)) };
}

/** Explains a lost request with a token: an unreachable platform or a refused preflight. */
async function explainLostRequest(context: PlatformCheckContext): Promise<Obstacle> {
  const repeated = await checkPlatform(context);
  if ('id' in repeated) return repeated;
  // Without a header that needs a preflight, the platform sends a 401 that the page can read.
  const plainResponse = await context.probes.get(`${context.platform}${agentPath}/embed/config`);
  const isReadable =
    plainResponse instanceof Response && readProblem(await plainResponse.json().catch(() => null));
  if (!isReadable) {
    const problem = 'requests are lost, or their responses are hidden from the page';
    return { id: 'platform', finding: agentServiceUnreachable(context, problem, {}) };
  }
  return {
    id: 'cors',
    finding: failedFinding(
      'Plain requests succeed, but those with an Authorization header fail. Before them the browser sends a preflight (OPTIONS), and something other than the platform rejects it.',
      'Let the proxy in front of the platform forward OPTIONS requests with their headers, instead of responding to them.',
    ),
  };
}

function agentServiceUnreachable(
  { platform }: PlatformCheckContext,
  problem: string,
  facts: Finding['facts'],
): Finding {
  return failedFinding(
    `The platform responds, but not under ${platform}${agentPath}: ${problem}.`,
    'Let the proxy in front of the platform forward /agent/v1 as well as /meta/v1. If it does, check the platform’s log.',
    facts,
  );
}

/** Returns the finding about the page's Content Security Policy. */
export function checkContentSecurityPolicy(violations: ViolationObserver): Finding {
  const { latest } = violations;
  if (latest) {
    const { blocked, directive } = latest;
    return failedFinding(
      `The ${directive} of the page’s Content Security Policy blocks requests to ${blocked}.`,
      `Add ${blocked} to the policy, for example: ${directive} 'self' ${blocked}`,
      { directive, blocked },
    );
  }
  return violations.isSupported
    ? okFinding('The page’s Content Security Policy blocked no request.')
    : skippedFinding('There is no page, and thus no policy.');
}

/** Whether an HTTPS page can't reach the address because it is mixed content. Loopback addresses are exempt. */
function isMixed(platform: string): boolean {
  return platform.startsWith('http:') && !isLoopback(platform);
}
