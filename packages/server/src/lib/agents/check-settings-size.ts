import type { Limits } from '../config/limits.ts';
import { ApiError } from '../problems/api-error.ts';

/**
 * Checks the size of an agent's settings that were changed at run time. The size is limited because
 * every version stores most of these settings, and each change of the agent reads all versions.
 *
 * @param settings The settings as JSON.
 * @throws ApiError `VALIDATION_ERROR` if the settings exceed `limits.request.agent_bytes`.
 */
export function checkSettingsSize(limits: Limits, settings: string): void {
  const maximum = limits.request.agent_bytes;
  const bytes = Buffer.byteLength(settings);
  if (bytes <= maximum) return;
  const message = `must leave the settings of the agent at most ${maximum} bytes as JSON; they would have ${bytes}`;
  throw new ApiError(
    'VALIDATION_ERROR',
    `The change ${message}. Shorten its texts, such as \`instructions\`.`,
    { errors: [{ pointer: '', message }] },
  );
}
