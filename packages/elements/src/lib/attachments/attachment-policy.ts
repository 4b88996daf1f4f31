/** What may be attached to a message, as the agent's settings say. */
export interface AttachmentPolicy {
  /** Bytes of one file. */
  readonly maxBytes: number;
  /** Files of one message. */
  readonly maxFiles: number;
  /** Media types, also as `image/*`. An empty list: any. */
  readonly mediaTypes: readonly string[];
}

/** Why a file may not be attached. */
export type Refusal = 'too_large' | 'too_many' | 'wrong_type' | 'empty';

/** Checked before anything is sent, so that nobody waits for an upload that is refused then. */
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

function isAllowed(type: string, mediaTypes: readonly string[]): boolean {
  // The browser does not know every type. The platform looks into the file, and has the last word.
  if (mediaTypes.length === 0 || type === '') return true;
  return mediaTypes.some((each) =>
    each.endsWith('/*') ? type.startsWith(each.slice(0, -1)) : type === each,
  );
}
