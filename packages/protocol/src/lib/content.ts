import * as z from 'zod/mini';

/** Where something that an answer says is from. */
export const Citation = z.looseObject({
  title: z.string(),
  /** Where it can be read; null where only the agent can read it. */
  url: z.optional(z.nullable(z.string())),
  /** The words that bear the statement. */
  snippet: z.optional(z.nullable(z.string())),
  /** UTF-16 code units of the block's text up to the place that it bears; null: the whole. */
  end_index: z.optional(z.nullable(z.int())),
});
export type Citation = z.infer<typeof Citation>;

export const TextBlock = z.looseObject({
  type: z.literal('text'),
  text: z.string(),
  /** Only in answers, and only where the agent named its sources. */
  citations: z.optional(z.nullable(z.array(Citation))),
});
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

/** Something of the host's that a text mentions, for example an order or a colleague. */
export const Mention = z.object({
  /** The host's id of it. */
  id: z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(128, 'must have at most 128 characters'),
    ),
  /** How the text names it, without the `@`. */
  label: z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(128, 'must have at most 128 characters'),
    ),
});
export type Mention = z.infer<typeof Mention>;

/** Blocks that one message, or one tool result, may have. */
export const maxBlocks = z.maxLength(64, 'must have at most 64 blocks');

/** What a person may send in one message. */
export const UserContent = z
  .array(z.discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock]))
  .check(maxBlocks);
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
