import type { LogEvent, ReadContent } from '@inlay/protocol';

/** The file that an image or a document block refers to. */
export function fileIdOf(block: ReadContent[number]): string | null {
  const source = block.source;
  if (typeof source !== 'object' || source === null || !('file_id' in source)) return null;
  return typeof source.file_id === 'string' ? source.file_id : null;
}

/** The files that an event refers to: only a person's message can. */
export function fileIdsOf(event: LogEvent): string[] {
  if (event.type !== 'user.message') return [];
  return event.content.flatMap((block) => fileIdOf(block) ?? []);
}
