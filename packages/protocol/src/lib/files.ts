import * as z from 'zod/mini';

/** An uploaded file. Content blocks reference it by id. */
export const FileObject = z.looseObject({
  type: z.literal('file'),
  id: z.string(),
  filename: z.string(),
  /** Media type, which the server detects from the content. */
  mime_type: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
});
export type FileObject = z.infer<typeof FileObject>;
