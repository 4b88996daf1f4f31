import { PlatformError } from './platform-error.ts';

/**
 * Rejects unknown parameters. If a misspelt filter were ignored, a list would contain all items.
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
