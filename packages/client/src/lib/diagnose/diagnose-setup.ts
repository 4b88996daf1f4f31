import { createInlayClient } from '../client.ts';
import type { InlayError } from '../errors.ts';
import type { DiagnoseOptions, DiagnosisReport } from './report.ts';

/**
 * Runs all possible checks on a page with invalid client options, such as a missing `base-url`. Used by
 * elements and wrappers of the client.
 *
 * @param baseUrl Address of the platform; empty if it is missing.
 * @param error The error of the options. The report contains its message.
 */
export async function diagnoseSetup(
  baseUrl: string,
  error: InlayError,
  options?: DiagnoseOptions,
): Promise<DiagnosisReport> {
  const { diagnoseWithoutClient } = await import('./diagnose.ts');
  return diagnoseWithoutClient(createInlayClient, baseUrl, error, options);
}
