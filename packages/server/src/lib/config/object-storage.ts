import * as z from 'zod';

/**
 * A bucket for uploaded files, at a service with the S3 protocol. Its credentials are the environment
 * variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
 */
export const ObjectStorage = z
  .strictObject({
    /** URL of the service. By default that of Amazon S3 in the region. */
    endpoint: z
      .string()
      .refine(isOrigin, 'must be a URL without a path, such as `https://s3.example.com`')
      .optional(),
    /** Region of the bucket. */
    region: z
      .string()
      .regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as `eu-central-1`')
      .default('us-east-1'),
    /** Name of the bucket. */
    bucket: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
      ),
    /** Start of the names of all objects, for a bucket that is shared with other programs. */
    prefix: z
      .string()
      .regex(/^([\w.-]+\/)*$/, 'must be empty or end with a slash, such as `inlay/`')
      .default(''),
    /** Whether the bucket is part of the path of a URL; otherwise it is part of the host. */
    path_style: z.boolean().default(true),
  })
  .transform((settings) => ({
    ...settings,
    endpoint: new URL(settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`).origin,
  }));
export type ObjectStorage = z.output<typeof ObjectStorage>;

/** Whether a text is an http or https URL without a path. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash, username } = new URL(text);
  return /^https?:$/.test(protocol) && pathname === '/' && !search && !hash && !username;
}
