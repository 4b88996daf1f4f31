/** What a file is, by its content. What the uploader claims is not believed. */
export function sniffType(bytes: Uint8Array): string {
  const known = signatures.find(({ at, magic }) =>
    [...magic].every((character, index) => bytes[at + index] === character.charCodeAt(0)),
  );
  if (known && (known.and === undefined || startsWith(bytes, known.and))) return known.type;
  return isText(bytes) ? 'text/plain' : 'application/octet-stream';
}

/** Pictures that a browser draws without running anything. SVG is not among them: it holds script. */
export const safeImageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

const signatures: readonly { type: string; at: number; magic: string; and?: string }[] = [
  { type: 'image/png', at: 0, magic: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, magic: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, magic: 'GIF87a' },
  { type: 'image/gif', at: 0, magic: 'GIF89a' },
  { type: 'image/webp', at: 8, magic: 'WEBP', and: 'RIFF' },
  { type: 'application/pdf', at: 0, magic: '%PDF-' },
  { type: 'application/zip', at: 0, magic: 'PK\x03\x04' },
];

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return [...magic].every((character, index) => bytes[index] === character.charCodeAt(0));
}

/** Valid UTF-8 without control characters that no text has. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
