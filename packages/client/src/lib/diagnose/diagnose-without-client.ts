import type { InlayClientOptions } from '../client-options.ts';
import type { InlayError } from '../errors.ts';
import type { InlayClient } from '../inlay-client.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { asText } from './as-text.ts';
import { allSkippedFor, reportOf } from './diagnose.ts';
import { type Finding, failed } from './finding.ts';
import { lookAtStorage } from './look-at-storage.ts';
import type { DiagnoseOptions, DiagnosisReport } from './report.ts';

/**
 * The work of `diagnoseSetup`, which loads it with its first call.
 *
 * @param create - Passed in: an import would take the client out of the entry's chunk.
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
    client = create({ baseUrl, tokens, textStore: 'memory' });
  } catch {
    // Without an address of the platform there is nothing to ask.
    const found = { ...allSkippedFor('platform'), platform: fault, storage: lookAtStorage() };
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

/** The first sentence of the message says what is wrong, the rest what to do. */
function findingOf({ message }: InlayError): Finding {
  const end = message.indexOf('. ') + 1;
  return end === 0
    ? failed(message, 'Correct the option.')
    : failed(message.slice(0, end), message.slice(end + 1));
}
