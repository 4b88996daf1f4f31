import * as z from 'zod/mini';

/** A source of a statement in an agent message. */
export const Citation = z.looseObject({
  title: z.string(),
  /** Address of the source; null if only the agent can read it. */
  url: z.optional(z.nullable(z.string())),
  /** Excerpt of the source that supports the statement. */
  snippet: z.optional(z.nullable(z.string())),
  /** End of the statement in the block's text, in UTF-16 code units; null for the whole block. */
  end_index: z.optional(z.nullable(z.int())),
});
export type Citation = z.infer<typeof Citation>;

export const TextBlock = z.looseObject({
  type: z.literal('text'),
  text: z.string(),
  /** Sources that the agent named, or that a server tool returned. */
  citations: z.optional(z.nullable(z.array(Citation))),
});
export type TextBlock = z.infer<typeof TextBlock>;

const FileSource = z.looseObject({ type: z.literal('file'), file_id: z.string() });

/** An image that the user attached, referenced by the id of an uploaded file. */
export const ImageBlock = z.looseObject({ type: z.literal('image'), source: FileSource });
export type ImageBlock = z.infer<typeof ImageBlock>;

/** A document that the user attached, referenced by the id of an uploaded file. */
export const DocumentBlock = z.looseObject({
  type: z.literal('document'),
  source: FileSource,
  title: z.optional(z.nullable(z.string())),
  /** Size of the file as its upload returned it, for display. */
  size_bytes: z.optional(z.nullable(z.int().check(z.nonnegative('must not be negative')))),
});
export type DocumentBlock = z.infer<typeof DocumentBlock>;

/** An `@` mention of an object of the host application, for example an order or a colleague. */
export const Mention = z.object({
  /** Id of the object in the host application. */
  id: z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(128, 'must have at most 128 characters'),
    ),
  /** Name of the object as it appears in the text, without the `@`. */
  label: z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(128, 'must have at most 128 characters'),
    ),
});
export type Mention = z.infer<typeof Mention>;

/** Checks the number of blocks in a message or a tool result. */
export const maxBlocks = z.maxLength(64, 'must have at most 64 blocks');

/** Content of a user message, as a client sends it. */
export const UserContent = z
  .array(z.discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock]))
  .check(maxBlocks);
export type UserContent = z.infer<typeof UserContent>;

/**
 * Content of a logged event, as a client reads it. Blocks of unknown types are accepted, so that
 * they do not hide the known blocks next to them.
 */
export const ReadContent = z.array(z.looseObject({ type: z.string() }));
export type ReadContent = z.infer<typeof ReadContent>;
