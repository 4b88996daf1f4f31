import type { InlayClientOptions } from '../client-options.ts';
import type { InlayError } from '../errors.ts';
import { agentPath } from '../http/request.ts';
import type { InlayClient } from '../inlay-client.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { asText } from './as-text.ts';
import { checkConnections } from './check-connections.ts';
import { checkAgentService, checkPlatform, checkPolicy, type Way } from './check-platform.ts';
import { checkSession, type DiagnosisContext, openSession } from './check-session.ts';
import { checkStorage } from './check-storage.ts';
import { checkStreaming } from './check-streaming.ts';
import { plainAddress } from './facts.ts';
import { type Finding, failed, skippedFor } from './finding.ts';
import { Probes } from './probe.ts';
import type { CheckId, DiagnoseOptions, DiagnosisReport } from './report.ts';
import { ViolationWatch } from './violations.ts';

/**
 * Checks what a developer may have misconfigured. It uses the client's own token, creates no session
 * and uses up no code.
 */
export async function diagnose(
  context: DiagnosisContext,
  { signal = new AbortController().signal }: DiagnoseOptions = {},
): Promise<DiagnosisReport> {
  const { ports } = context;
  const violations = new ViolationWatch();
  const platform = plainAddress(context.platform.url('').slice(0, -agentPath.length));
  const page = globalThis.location ? globalThis.origin : null;
  const way = { platform, ports, violations, probes: new Probes(ports, signal) };
  try {
    const found = await find(context, way, page ?? 'this page', signal);
    return reportOf(found, { checkedAt: ports.clock.now(), page, platform });
  } finally {
    violations.close();
  }
}

/** @param facts `checkedAt` in milliseconds since the epoch. */
export function reportOf(
  found: Readonly<Record<CheckId, Finding>>,
  facts: { checkedAt: number; page: string | null; platform: string },
): DiagnosisReport {
  const checks = order.map((id) => ({ id, ...found[id] }));
  const report = { ...facts, checkedAt: new Date(facts.checkedAt).toISOString(), checks };
  return { ...report, text: asText(report) };
}

const order: readonly CheckId[] = [
  'platform',
  'token',
  'clock',
  'origin',
  'cors',
  'csp',
  'streaming',
  'storage',
  'connections',
];

async function find(
  context: DiagnosisContext,
  way: Way,
  origin: string,
  signal: AbortSignal,
): Promise<Record<CheckId, Finding>> {
  const storage = checkStorage();
  const platform = await checkPlatform(way);
  if ('id' in platform) {
    const { id, finding } = platform;
    return { ...allSkippedFor(id), [id]: finding, storage };
  }

  const session = await openSession(context, signal);
  const connections = checkConnections(way.platform);
  const obstacle = await checkAgentService(way, session.refusal);
  if (obstacle) {
    const { id, finding } = obstacle;
    return { ...allSkippedFor(id), platform, [id]: finding, storage, connections };
  }

  const found = checkSession(session, origin);
  const csp = checkPolicy(way.violations);
  return {
    ...found,
    // The policy may block the origin of the token endpoint.
    token: session.tokenError && csp.outcome === 'failed' ? skippedFor('csp') : found.token,
    platform,
    csp,
    streaming: found.streaming ?? (await checkStreaming(context, signal)),
    storage,
    connections,
  };
}

/** Returns findings in which all checks are skipped because of a failed one. */
export function allSkippedFor(id: CheckId): Record<CheckId, Finding> {
  const skipped = order.map((each) => [each, skippedFor(id)] as const);
  return Object.fromEntries(skipped) as Record<CheckId, Finding>;
}

/**
 * Implements `diagnoseSetup`, which loads this module with its first call.
 *
 * @param create A parameter, because an import would move the client out of the entry's chunk.
 */
export async function diagnoseWithoutClient(
  create: (options: InlayClientOptions) => InlayClient,
  baseUrl: string,
  error: InlayError,
  options?: DiagnoseOptions,
): Promise<DiagnosisReport> {
  const fault = findingOf(error);
  const tokens: TokenSource = { renewable: true, request: () => Promise.reject(error) };
  let client: InlayClient;
  try {
    client = create({ baseUrl, tokens, draftStore: 'memory' });
  } catch {
    // Without the platform's address, no request is possible.
    const found = { ...allSkippedFor('platform'), platform: fault, storage: checkStorage() };
    const page = globalThis.location ? globalThis.origin : null;
    return reportOf(found, { checkedAt: Date.now(), page, platform: '' });
  }
  try {
    const report = await client.diagnose(options);
    const checks = report.checks.map((check) =>
      check.id === 'token' ? { id: check.id, ...fault } : check,
    );
    return { ...report, checks, text: asText({ ...report, checks }) };
  } finally {
    client.close();
  }
}

/** Splits an error message: its first sentence is the cause, the rest the remedy. */
function findingOf({ message }: InlayError): Finding {
  const end = message.indexOf('. ') + 1;
  return end === 0
    ? failed(message, 'Correct the option.')
    : failed(message.slice(0, end), message.slice(end + 1));
}
