import type { Limits } from '../config/limits.ts';
import { ApiError } from '../problems/api-error.ts';

/**
 * Checks the settings that an agent has from calls, as JSON. Every version of the agent keeps a copy
 * of most of them, and all versions are read when one of them changes.
 *
 * @throws ApiError `VALIDATION_ERROR` where they are longer than `limits.request.agent_bytes`.
 */
export function requireSmallSettings(limits: Limits, settings: string): void {
  const most = limits.request.agent_bytes;
  const bytes = Buffer.byteLength(settings);
  if (bytes <= most) return;
  const message = `must leave the settings of the agent at most ${most} bytes as JSON; they would have ${bytes}`;
  throw new ApiError(
    'VALIDATION_ERROR',
    `The change ${message}. Shorten its texts, such as \`instructions\`.`,
    { errors: [{ pointer: '', message }] },
  );
}
