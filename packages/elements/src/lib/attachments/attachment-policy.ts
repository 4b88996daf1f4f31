/** Limits for attachments in the agent's settings. */
export interface AttachmentPolicy {
  /** Maximum size of a file, in bytes. */
  readonly maxBytes: number;
  /** Maximum number of files of a message. */
  readonly maxFiles: number;
  /** Allowed media types or ranges such as `image/*`. An empty list allows all. */
  readonly mediaTypes: readonly string[];
}

/** Reason why a file can't be attached. */
export type Refusal = 'too_large' | 'too_many' | 'wrong_type' | 'empty';

/**
 * Checks a file before its upload.
 *
 * @param attached - Number of files that are already attached.
 * @returns Why the file can't be attached; null if it can.
 */
export function refusalOf(
  file: Pick<File, 'size' | 'type'>,
  attached: number,
  { maxBytes, maxFiles, mediaTypes }: AttachmentPolicy,
): Refusal | null {
  if (attached >= maxFiles) return 'too_many';
  if (!isAllowed(file.type, mediaTypes)) return 'wrong_type';
  if (file.size === 0) return 'empty';
  return file.size > maxBytes ? 'too_large' : null;
}

/**
 * Types whose content the platform recognizes. A browser derives the type from the extension, and some
 * extensions have several meanings: `text/csv` is `application/vnd.ms-excel` on Windows, TypeScript is
 * `video/mp2t`. The platform reads the content, so that files of other types are left to it.
 */
const reliableTypes = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/;

function isAllowed(type: string, mediaTypes: readonly string[]): boolean {
  if (mediaTypes.length === 0 || !reliableTypes.test(type)) return true;
  return mediaTypes.some((each) =>
    each.endsWith('/*') ? type.startsWith(each.slice(0, -1)) : type === each,
  );
}
