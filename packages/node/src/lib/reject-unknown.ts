import { PlatformError } from './platform-error.ts';

/**
 * Rejects unknown parameters of a list. If they were ignored, the call would list everything.
 *
 * @throws PlatformError `INVALID_OPTION`, with the known parameters.
 */
export function rejectUnknown(method: string, unknown: object, known: string): void {
  const [name] = Object.keys(unknown);
  if (name === undefined) return;
  throw new PlatformError(
    'INVALID_OPTION',
    `${method} has no parameter \`${name}\`, only ${known}.`,
  );
}
