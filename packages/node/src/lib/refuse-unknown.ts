import { PlatformError } from './platform-error.ts';

/**
 * Refuses unknown parameters of a list, which would be ignored and list everything.
 *
 * @throws PlatformError `INVALID_OPTION`, with the known parameters.
 */
export function refuseUnknown(method: string, unknown: object, known: string): void {
  const [name] = Object.keys(unknown);
  if (name === undefined) return;
  throw new PlatformError(
    'INVALID_OPTION',
    `${method} has no parameter \`${name}\`, only ${known}.`,
  );
}
