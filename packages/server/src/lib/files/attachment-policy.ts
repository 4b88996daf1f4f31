import type { EmbedConfig } from '@inlay/protocol';
import type { Agent } from '../agents/agent.ts';
import type { Config } from '../config/config.ts';

/** Limits for the attachments in conversations with an agent. */
export type AttachmentPolicy = NonNullable<EmbedConfig['attachments']>;

/** The agent's settings for attachments, bounded by the limits of the server. */
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
 * Whether a file has one of the allowed types; an empty list allows every type. Either the detected
 * type must be allowed, or the type that the client claims, if it is a more specific form of the
 * detected type (a CSV file is detected as plain text, a DOCX file as a ZIP file).
 */
export function isAllowedType(
  allowed: readonly string[],
  { detected, claimed }: { readonly detected: string; readonly claimed: string },
): boolean {
  if (allowed.length === 0) return true;
  if (matches(allowed, detected)) return true;
  const claim = readClaim(claimed, detected);
  return isMoreSpecificType(claim, detected) && matches(allowed, claim);
}

/**
 * The claimed type without parameters. On Windows with Excel, browsers claim that CSV files are Excel
 * files.
 */
function readClaim(claimed: string, detected: string): string {
  const claim = claimed.toLowerCase().replace(/;.*/s, '').trim();
  return detected === 'text/plain' && claim === 'application/vnd.ms-excel' ? 'text/csv' : claim;
}

function matches(allowed: readonly string[], type: string): boolean {
  return allowed.some((pattern) =>
    pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type,
  );
}

/** Whether the claimed type is a more specific form of the detected type. */
function isMoreSpecificType(claim: string, detected: string): boolean {
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
