import * as z from 'zod/mini';

export const TextBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
export type TextBlock = z.infer<typeof TextBlock>;

const FileSource = z.looseObject({ type: z.literal('file'), file_id: z.string() });

/** An image that the person attached, by the id of an uploaded file. */
export const ImageBlock = z.looseObject({ type: z.literal('image'), source: FileSource });
export type ImageBlock = z.infer<typeof ImageBlock>;

/** A document that the person attached, by the id of an uploaded file. */
export const DocumentBlock = z.looseObject({
  type: z.literal('document'),
  source: FileSource,
  title: z.optional(z.nullable(z.string())),
});
export type DocumentBlock = z.infer<typeof DocumentBlock>;

/** What a person may send in one message. */
export const UserContent = z.array(
  z.discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock]),
);
export type UserContent = z.infer<typeof UserContent>;

/**
 * What a log holds, as a reader sees it. A block of a type that this version does not know passes,
 * because an unknown block must not hide the known ones beside it.
 */
export const ReadContent = z.array(z.looseObject({ type: z.string() }));
export type ReadContent = z.infer<typeof ReadContent>;

/** The text of all text blocks, joined by blank lines. Other blocks are passed over. */
export function textOf(content: ReadContent): string {
  return content
    .filter((block): block is TextBlock => block.type === 'text' && typeof block.text === 'string')
    .map((block) => block.text)
    .join('\n\n');
}
