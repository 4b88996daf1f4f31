import type { Config } from '../config/config.ts';
import type { Random } from '../random.ts';
import { type Blobs, createMovedBlobs } from './blobs.ts';
import type { S3BlobsOptions } from './s3-blobs.ts';

/**
 * Opens the object storage of the configuration, if it has one.
 *
 * @param ofDatabase The blobs beside the database. The ones that were stored there remain there.
 * @throws ConfigError If the object storage cannot be used.
 */
export async function openBlobs(
  {
    config,
    ...options
  }: Omit<S3BlobsOptions, 'settings'> & {
    readonly config: Pick<Config, 'store'>;
    readonly random: Random;
  },
  ofDatabase: Blobs,
): Promise<Blobs> {
  const settings = config.store.object_storage;
  if (settings === null) return ofDatabase;
  // Loaded on demand, so that a process without an object storage starts faster.
  const { openS3Blobs } = await import('./s3-blobs.ts');
  return createMovedBlobs(await openS3Blobs({ ...options, settings }), ofDatabase);
}
