import * as z from 'zod/mini';
import { registryFields } from './databases.ts';
import { pageOf } from './pages.ts';

/** A registered media library. */
export const LibraryResource = z.looseObject(registryFields);
export type LibraryResource = z.infer<typeof LibraryResource>;

export const LibraryPage = pageOf(LibraryResource);

/** A file of a media library, which is stored elsewhere. Times are ISO 8601. */
export const AssetResource = z.looseObject({
  id: z.string(),
  library_id: z.string(),
  name: z.string(),
  /** Where the file is, an `https:` URL. */
  url: z.string(),
  /** Its media type, such as `video/mp4`; null if unknown. */
  media_type: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type AssetResource = z.infer<typeof AssetResource>;

export const AssetPage = pageOf(AssetResource);
