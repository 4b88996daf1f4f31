import type { LogEvent, ReadContent } from '@inlay/protocol';

/** The id of the file that an image or document block refers to; null for other blocks. */
export function fileIdOf(block: ReadContent[number]): string | null {
  const source = block.source;
  if (typeof source !== 'object' || source === null || !('file_id' in source)) return null;
  return typeof source.file_id === 'string' ? source.file_id : null;
}

/** The ids of the files that an event refers to. Only user messages have attachments. */
export function fileIdsOf(event: LogEvent): string[] {
  if (event.type !== 'user.message') return [];
  return event.content.flatMap((block) => fileIdOf(block) ?? []);
}
