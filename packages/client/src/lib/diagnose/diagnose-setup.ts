import { createInlayClient } from '../client.ts';
import type { InlayError } from '../errors.ts';
import type { DiagnoseOptions, DiagnosisReport } from './report.ts';

/**
 * Diagnoses a page whose options make no client, such as one without `base-url`. What can be checked
 * without the missing option is checked. For elements and wrappers around the client.
 *
 * @param baseUrl - The address of the platform; empty where it is missing.
 * @param error - What is wrong with the options. Its message stands in the report.
 */
export async function diagnoseSetup(
  baseUrl: string,
  error: InlayError,
  options?: DiagnoseOptions,
): Promise<DiagnosisReport> {
  const { diagnoseWithoutClient } = await import('./diagnose.ts');
  return diagnoseWithoutClient(createInlayClient, baseUrl, error, options);
}
