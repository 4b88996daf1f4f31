import { InlayError } from '../errors.ts';
import { agentPath } from '../http/request.ts';
import type { InlayClient, InlayClientOptions } from '../inlay-client.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { withTimeout } from '../wait.ts';
import { attemptAccess, checkAccess, type DiagnosisContext } from './check-access.ts';
import { checkPage } from './check-page.ts';
import {
  checkAgentService,
  checkContentSecurityPolicy,
  checkPlatform,
  healthPath,
  type PlatformCheckContext,
} from './check-platform.ts';
import { checkStorage } from './check-storage.ts';
import { checkStreaming } from './check-streaming.ts';
import {
  type Finding,
  failedFinding,
  isLoopback,
  okFinding,
  plainAddress,
  skippedFinding,
  skippedFindingFor,
  warningFinding,
} from './findings.ts';
import { Probes, ViolationObserver } from './probe.ts';
import type { CheckId, DiagnoseOptions, DiagnosisReport } from './report.ts';

/**
 * Checks the page's setup for mistakes. It uses the client's own token, creates no session and uses up
 * no code of a hosted link.
 */
export async function diagnose(
  context: DiagnosisContext,
  { signal = new AbortController().signal }: DiagnoseOptions = {},
): Promise<DiagnosisReport> {
  const { ports } = context;
  const violations = new ViolationObserver();
  const platform = plainAddress(context.platform.url('').slice(0, -agentPath.length));
  const page = globalThis.location ? globalThis.origin : null;
  const platformContext = { platform, ports, violations, probes: new Probes(ports, signal) };
  try {
    const findings = await runChecks(context, platformContext, page ?? 'this page', signal);
    return reportOf(findings, { checkedAt: ports.clock.now(), page, platform });
  } finally {
    violations.close();
  }
}

/**
 * Creates a report from the findings.
 *
 * @param facts `checkedAt`: time of the diagnosis in milliseconds since the epoch.
 */
function reportOf(
  findings: Readonly<Record<CheckId, Finding>>,
  facts: { checkedAt: number; page: string | null; platform: string },
): DiagnosisReport {
  const checks = checkOrder.map((id) => ({ id, ...findings[id] }));
  const report = { ...facts, checkedAt: new Date(facts.checkedAt).toISOString(), checks };
  return { ...report, text: reportText(report) };
}

const checkOrder: readonly CheckId[] = [
  'platform',
  'token',
  'clock',
  'origin',
  'cors',
  'csp',
  'streaming',
  'model',
  'storage',
  'connections',
  'page',
];

async function runChecks(
  context: DiagnosisContext,
  platformContext: PlatformCheckContext,
  origin: string,
  signal: AbortSignal,
): Promise<Record<CheckId, Finding>> {
  const local = { storage: checkStorage(), page: checkPage() };
  const platform = await checkPlatform(platformContext);
  if ('id' in platform) {
    const { id, finding } = platform;
    return { ...allSkippedFor(id), [id]: finding, ...local };
  }

  const access = await attemptAccess(context, signal);
  const connections = checkConnections(platformContext.platform);
  const obstacle = await checkAgentService(platformContext, access.rejection);
  if (obstacle) {
    const { id, finding } = obstacle;
    return { ...allSkippedFor(id), platform, [id]: finding, ...local, connections };
  }

  const { skipped, ...accessFindings } = checkAccess(access, origin);
  if (access.tokenError?.code === 'TOKEN_UNAVAILABLE' && access.tokenError.status === null)
    await repeatTokenRequest(context, platformContext, signal);
  const csp = checkContentSecurityPolicy(platformContext.violations);
  return {
    ...accessFindings,
    // The policy may block the origin of the token endpoint.
    token:
      access.tokenError && csp.outcome === 'failed'
        ? skippedFindingFor('csp')
        : accessFindings.token,
    platform,
    csp,
    ...(skipped ? { streaming: skipped, model: skipped } : await checkStreaming(context, signal)),
    ...local,
    connections,
  };
}

/** Time limit of the repeated request, in milliseconds. A policy blocks a request immediately. */
const repetitionTimeout = 1_000;

/**
 * Repeats a request for a token that got no response, because browsers report the violation of a policy
 * only once for each request, which may have been before the diagnosis.
 */
async function repeatTokenRequest(
  { ports, source }: DiagnosisContext,
  { platform: baseUrl, probes, violations }: PlatformCheckContext,
  signal: AbortSignal,
): Promise<void> {
  if (!violations.isSupported || violations.latest || !source.renewable) return;
  const timeoutError = () => new InlayError('NETWORK_ERROR', 'There was no response.');
  await withTimeout(ports.clock, repetitionTimeout, signal, timeoutError, (limited) =>
    source.request({ current: null, signal: limited, baseUrl, ports }),
  ).catch(() => {});
  await probes.waitForViolations();
}

/** Returns findings in which all checks are skipped, because the check `id` failed. */
function allSkippedFor(id: CheckId): Record<CheckId, Finding> {
  const skipped = checkOrder.map((each) => [each, skippedFindingFor(id)] as const);
  return Object.fromEntries(skipped) as Record<CheckId, Finding>;
}

/**
 * Implements `diagnoseSetup`, which loads this module with its first call.
 *
 * @param create `createInlayClient`. An import would move the client out of the entry chunk.
 */
export async function diagnoseWithoutClient(
  create: (options: InlayClientOptions) => InlayClient,
  baseUrl: string,
  error: InlayError,
  options?: DiagnoseOptions,
): Promise<DiagnosisReport> {
  const finding = findingOf(error);
  const tokens: TokenSource = { renewable: true, request: () => Promise.reject(error) };
  let client: InlayClient;
  try {
    client = create({ baseUrl, tokens, draftStore: 'memory' });
  } catch {
    // Without the platform's address, no request is possible.
    const findings = {
      ...allSkippedFor('platform'),
      platform: finding,
      storage: checkStorage(),
      page: checkPage(),
    };
    const page = globalThis.location ? globalThis.origin : null;
    return reportOf(findings, { checkedAt: Date.now(), page, platform: '' });
  }
  try {
    const report = await client.diagnose(options);
    const checks = report.checks.map((check) =>
      check.id === 'token' ? { id: check.id, ...finding } : check,
    );
    return { ...report, checks, text: reportText({ ...report, checks }) };
  } finally {
    client.close();
  }
}

/** Splits an error message: its first sentence is the cause, the rest the remedy. */
function findingOf({ message }: InlayError): Finding {
  const end = message.indexOf('. ') + 1;
  return end === 0
    ? failedFinding(message, 'Correct the option.')
    : failedFinding(message.slice(0, end), message.slice(end + 1));
}

/** Formats a report as plain text, for a bug report. */
function reportText({ checkedAt, page, platform, checks }: Omit<DiagnosisReport, 'text'>): string {
  const width = Math.max(...checks.map(({ id }) => id.length)) + 'warning'.length + 2;
  const lines = checks.flatMap(({ id, outcome, cause, remedy, facts }) => {
    const label = `${outcome.padEnd(8)} ${id}`.padEnd(width);
    const measurements = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
    return [
      `${label} ${cause}`,
      ...(remedy ? [`${' '.repeat(width)} → ${remedy}`] : []),
      ...(measurements.length > 0 ? [`${' '.repeat(width)} (${measurements.join(', ')})`] : []),
    ];
  });
  return [
    `Inlay diagnosis of ${checkedAt}`,
    `Page ${page ?? 'none'}, platform ${platform || 'none'}`,
    `Browser ${globalThis.navigator?.userAgent ?? 'none'}`,
    '',
    ...lines,
  ].join('\n');
}

/** Checks the HTTP version of the platform's connection, if the browser exposes it. */
function checkConnections(platform: string): Finding {
  const [entry] = globalThis.performance?.getEntriesByName?.(`${platform}${healthPath}`) ?? [];
  const protocol = (entry as PerformanceResourceTiming | undefined)?.nextHopProtocol;
  if (!protocol)
    return skippedFinding(
      'The browser does not report the HTTP version of its connection to the platform.',
    );
  const facts = { protocol };
  if (!/^http\/1/.test(protocol)) {
    return okFinding('Any number of tabs can share one connection to the platform.', facts);
  }
  if (isLoopback(platform)) {
    return okFinding('HTTP/1.1, as is usual on a local machine. Use HTTP/2 in production.', facts);
  }
  return warningFinding(
    'The browser uses HTTP/1.1, with at most six connections to the platform. Each tab with an open conversation needs one: with many tabs, the later ones fall back to polling.',
    'Enable HTTP/2 in the proxy in front of the platform. Browsers use it over https only.',
    facts,
  );
}
