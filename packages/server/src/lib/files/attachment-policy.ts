import type { EmbedConfig } from '@inlay/protocol';
import type { Agent } from '../agents/agent.ts';
import type { Config } from '../config/config.ts';

/** What may be attached in conversations with an agent. */
export type AttachmentPolicy = NonNullable<EmbedConfig['attachments']>;

/** The agent's settings, within what the server takes at all. */
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
 * Whether a file is of one of these types; of any, where there are none. Its content decides, and
 * where that leaves open what it is, because a table is plain text and a letter a zip, the uploader
 * may say it.
 */
export function isAllowedType(
  allowed: readonly string[],
  { found, claimed }: { readonly found: string; readonly claimed: string },
): boolean {
  if (allowed.length === 0) return true;
  if (matches(allowed, found)) return true;
  const [claim = ''] = claimed.toLowerCase().split(';');
  return refines(claim.trim(), found) && matches(allowed, claim.trim());
}

function matches(allowed: readonly string[], type: string): boolean {
  return allowed.some((pattern) =>
    pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type,
  );
}

/** Whether content that looks like `found` can be of the more special type that was claimed. */
function refines(claim: string, found: string): boolean {
  if (found === 'text/plain') {
    return /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript)$/.test(claim);
  }
  if (found === 'application/zip') {
    return /^application\/(?:vnd\.(?:openxmlformats|oasis\.opendocument)[\w.-]*|epub\+zip)$/.test(
      claim,
    );
  }
  // Nothing that is known: sound, film, an older kind of document. Never a picture to draw.
  return found === 'application/octet-stream' && !/^(?:text|image)\//.test(claim);
}
