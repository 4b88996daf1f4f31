import * as z from 'zod/mini';
import { registryFields } from './databases.ts';
import { pageOf } from './pages.ts';

/** A registered media library. */
export const LibraryResource = z.looseObject(registryFields);
export type LibraryResource = z.infer<typeof LibraryResource>;

export const LibraryPage = pageOf(LibraryResource);

/** An asset of a media library: a file that is stored at `url`. Times are ISO 8601. */
export const AssetResource = z.looseObject({
  id: z.string(),
  library_id: z.string(),
  name: z.string(),
  /** `https:` URL of the file. */
  url: z.string(),
  /** Media type of the file, such as `video/mp4`; null if unknown. */
  media_type: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type AssetResource = z.infer<typeof AssetResource>;

export const AssetPage = pageOf(AssetResource);
