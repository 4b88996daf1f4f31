import * as z from 'zod/mini';

/** An uploaded file, referenced from content blocks by its id. */
export const FileObject = z.looseObject({
  type: z.literal('file'),
  id: z.string(),
  filename: z.string(),
  /** Found from the content, not from what the uploader claims. */
  mime_type: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
});
export type FileObject = z.infer<typeof FileObject>;
