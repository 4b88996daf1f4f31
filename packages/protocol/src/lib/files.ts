import * as z from 'zod/mini';

/** An uploaded file. Content blocks reference it by id. */
export const FileObject = z.looseObject({
  type: z.literal('file'),
  id: z.string(),
  filename: z.string(),
  /** Media type, detected from the content instead of the client's claim. */
  mime_type: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
});
export type FileObject = z.infer<typeof FileObject>;
