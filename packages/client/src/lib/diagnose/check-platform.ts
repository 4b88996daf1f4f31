import type { InlayError } from '../errors.ts';
import { agentPath } from '../http/request.ts';
import type { Ports } from '../ports.ts';
import { readProblem } from '../wire/answers.ts';
import { factsOf, isLoopback, shaped } from './facts.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';
import type { Probes } from './probe.ts';
import type { ViolationWatch } from './violations.ts';

/** A failure that makes all further checks impossible, by the check that reports it. */
export interface Obstacle {
  readonly id: 'platform' | 'cors' | 'csp';
  readonly finding: Finding;
}

/** Dependencies of the checks of the platform. */
export interface Way {
  /** The address of the platform without user and query. */
  readonly platform: string;
  readonly ports: Ports;
  readonly probes: Probes;
  readonly violations: ViolationWatch;
}

/** The public health endpoint. */
export const healthPath = '/meta/v1/health';

/** Checks the platform's address. Returns a finding, or the failure that ends the diagnosis. */
export async function checkPlatform(way: Way): Promise<Finding | Obstacle> {
  const response = await way.probes.get(`${way.platform}${healthPath}`);
  if (response === null) return unreached(way);
  if (response === 'late') return { id: 'platform', finding: tooSlow(way) };
  const finding = await readHealth(response, way);
  return finding.outcome === 'ok' ? finding : { id: 'platform', finding };
}

async function readHealth(response: Response, { platform }: Way): Promise<Finding> {
  const { status, type } = response;
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return failed(
      `${platform} leads to another address. The client follows no redirect, because it would carry the token along.`,
      'Give base-url the address that it leads to; often only https:// instead of http://, or www. is missing.',
    );
  }
  const body: unknown = await response.json().catch(() => null);
  const { status: health, version, code } = Object(body);
  const facts = { status };
  if (response.ok && (health === 'ok' || health === 'degraded')) {
    const known = shaped(String(version), /^[\w.+-]{1,32}$/);
    return ok('The platform answers.', known ? { ...facts, version: known } : facts);
  }
  if (status >= 500) {
    return code === 'SERVICE_UNAVAILABLE'
      ? failed(
          'The platform answers that it can’t work just now: its store is not there.',
          'Look at the platform’s log, and at its database.',
          facts,
        )
      : failed(
          `${platform} answered ${status}. Mostly that is a proxy that does not reach the platform behind it.`,
          'See that the platform runs, and that the proxy passes requests on to its port.',
          facts,
        );
  }
  const html = /\bhtml\b/i.test(response.headers.get('content-type') ?? '');
  return failed(
    `${platform} answered ${status}${html ? ' with a web page' : ''}: this is not an Inlay platform.`,
    'Set base-url to the address of the platform, which answers at /meta/v1/health. It is not that of your own site, unless a proxy there passes /agent and /meta on.',
    { ...facts, html },
  );
}

function tooSlow({ platform }: Way): Finding {
  return failed(
    `${platform} does not answer in time.`,
    'See that the platform runs and is not out of breath, and that no firewall swallows what is sent to it.',
  );
}

async function unreached(way: Way): Promise<Obstacle> {
  const { platform, ports, probes, violations } = way;
  await probes.violationsTold();
  if (violations.latest) return { id: 'csp', finding: checkPolicy(violations) };
  if (!ports.page.online()) {
    const remedy = 'Connect this machine, and look again.';
    return { id: 'platform', finding: failed('This browser has no network.', remedy) };
  }
  if (globalThis.location?.protocol === 'https:' && isMixed(platform)) {
    return {
      id: 'platform',
      finding: failed(
        'The page came by https and the platform’s address is http: browsers block that as mixed content.',
        'Serve the platform by https, and give base-url its https:// address.',
      ),
    };
  }
  if ((await probes.get(`${platform}${healthPath}`, 'no-cors')) instanceof Response) {
    return {
      id: 'cors',
      finding: failed(
        'The address answers, but the page may not read its answer: the CORS headers are missing or wrong. The platform sends them itself, so this is another server, or a proxy that takes them out or adds its own.',
        'See that base-url is the platform’s address, and that the proxy before it neither removes nor doubles Access-Control-Allow-Origin. Look at the answer in the network panel too: an error page of the proxy’s own (502, 504, 413) has no CORS headers, and then that error is what has to be mended.',
      ),
    };
  }
  return {
    id: 'platform',
    finding: failed(
      `Nothing answers at ${platform}.`,
      'See that the address is right, that the platform runs, that its certificate is valid, and that no firewall or content blocker of this browser stands between.',
    ),
  };
}

/** Returns the failure that the first response of the agent service indicates; null without one. */
export async function checkAgentService(
  way: Way,
  error: InlayError | null,
): Promise<Obstacle | null> {
  if (error?.code === 'TOO_LATE') return { id: 'platform', finding: tooSlow(way) };
  if (error?.code === 'NETWORK_ERROR') return lookAtLostRequest(way);
  const foreign = error?.code === 'UNEXPECTED_RESPONSE';
  const status = error?.status ?? 0;
  if (!error || !(foreign || (error.problem && status >= 500))) return null;
  const answer = `there came ${status}${foreign ? ' from something that is no platform' : ''}`;
  return { id: 'platform', finding: partlyThere(way, answer, factsOf(error)) };
}

/** Explains a lost request with a token: an unreachable platform or a refused preflight. */
async function lookAtLostRequest(way: Way): Promise<Obstacle> {
  const again = await checkPlatform(way);
  if ('id' in again) return again;
  // Without a header that needs a preflight, the platform responds with a readable refusal.
  const plain = await way.probes.get(`${way.platform}${agentPath}/embed/config`);
  const answered = plain instanceof Response && readProblem(await plain.json().catch(() => null));
  if (!answered) {
    const answer = 'what comes there is lost, or hidden from the page';
    return { id: 'platform', finding: partlyThere(way, answer, {}) };
  }
  return {
    id: 'cors',
    finding: failed(
      'Plain requests are answered, but none with an Authorization header. Before such a one the browser asks for leave (a preflight, OPTIONS), and something refuses that in the platform’s place.',
      'Let the proxy before the platform pass OPTIONS requests on to it, with their headers, and answer none by itself.',
    ),
  };
}

function partlyThere({ platform }: Way, answer: string, facts: Finding['facts']): Finding {
  return failed(
    `The platform answers, but not under ${platform}${agentPath}: ${answer}.`,
    'Let the proxy before the platform pass /agent/v1 on to it as well as /meta/v1. If it does, look at the platform’s log.',
    facts,
  );
}

/** Returns the finding about the page's policy. */
export function checkPolicy(violations: ViolationWatch): Finding {
  const { latest } = violations;
  if (latest) {
    const { blocked, directive } = latest;
    return failed(
      `The page’s Content Security Policy blocks requests to ${blocked}, by its ${directive}.`,
      `Add ${blocked} to the policy, for example: ${directive} 'self' ${blocked}`,
      { directive, blocked },
    );
  }
  return violations.able
    ? ok('The page’s Content Security Policy let every request out.')
    : skipped('There is no page here, and no policy of one.');
}

/** Browsers treat addresses of this machine as secure. */
function isMixed(platform: string): boolean {
  return platform.startsWith('http:') && !isLoopback(platform);
}
