import type { EmbedConfig } from '@inlay/protocol';
import type { Agent } from '../agents/agent.ts';
import type { Config } from '../config/config.ts';

/** Limits for the attachments of an agent's conversations. */
export type AttachmentPolicy = NonNullable<EmbedConfig['attachments']>;

/** The agent's settings, bounded by the limits of the server. */
export function attachmentPolicy(agent: Agent | null, { limits }: Config): AttachmentPolicy {
  const settings = agent?.appearance.attachments;
  return {
    max_bytes: Math.min(
      settings?.max_bytes ?? limits.request.file_bytes,
      limits.request.file_bytes,
    ),
    max_files: settings?.max_files ?? 0,
    media_types: settings?.media_types ?? [],
  };
}

/**
 * Whether a file has one of these types; every type is allowed if the list is empty. The detected
 * type decides. If it is ambiguous (a CSV file is plain text, a DOCX file is a ZIP file), the
 * claimed type is used.
 */
export function isAllowedType(
  allowed: readonly string[],
  { detected, claimed }: { readonly detected: string; readonly claimed: string },
): boolean {
  if (allowed.length === 0) return true;
  if (matches(allowed, detected)) return true;
  const [claim = ''] = claimed.toLowerCase().split(';');
  return isSpecificTypeOf(claim.trim(), detected) && matches(allowed, claim.trim());
}

function matches(allowed: readonly string[], type: string): boolean {
  return allowed.some((pattern) =>
    pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type,
  );
}

/** Whether a file with the detected type may have the claimed, more specific type. */
function isSpecificTypeOf(claim: string, detected: string): boolean {
  if (detected === 'text/plain') {
    return /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript)$/.test(claim);
  }
  if (detected === 'application/zip') {
    return /^application\/(?:vnd\.(?:openxmlformats|oasis\.opendocument)[\w.-]*|epub\+zip)$/.test(
      claim,
    );
  }
  // An unknown format (audio, video, old documents) may be anything but text or an image.
  return detected === 'application/octet-stream' && !/^(?:text|image)\//.test(claim);
}
