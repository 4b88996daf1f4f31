import { FileObject } from '@inlay/protocol';
import { requireFeature } from '../agents/require-feature.ts';
import { tooLarge } from '../http/read-body.ts';
import { type Route, route } from '../http/route.ts';
import { sourceOf } from '../http/source.ts';
import { streamBody } from '../http/stream-body.ts';
import { bodyOwners } from '../limits/body-limiter.ts';
import { sourceSubject } from '../limits/daily-quotas.ts';
import { invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { attachmentPolicy, isAllowedType } from './attachment-policy.ts';
import { contentDisposition } from './file-names.ts';
import { maximumOverhead, readUpload } from './read-upload.ts';
import { safeImageTypes } from './sniff-type.ts';

/**
 * Routes that store and return attachments. A client uploads an attachment first, and then sends a
 * message that refers to it.
 */
export function fileRoutes({
  agents,
  clock,
  config,
  files,
  log,
  uploads,
}: Pick<Services, 'agents' | 'clock' | 'config' | 'files' | 'log' | 'uploads'>): Route[] {
  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/files',
        audience: 'end_user',
        tag: 'Files',
        summary: 'Upload an attachment',
        description:
          'A part named `file`, within `attachments` of `GET /agent/v1/embed/config`. Its type is detected from its content, whatever the upload claims.',
        accepts: 'multipart/form-data',
        response: FileObject,
        problems: [
          'VALIDATION_ERROR',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'CONFLICT',
          'EMBED_FEATURE_DISABLED',
          'EMBED_QUOTA_EXCEEDED',
          'SERVICE_UNAVAILABLE',
        ],
      },
      async ({ c, caller, recheck }) => {
        requireFeature(agents, caller, 'attachments');
        const policy = attachmentPolicy(agents.find(caller.agentId), config);
        // Rejects a body that is too long before reading it.
        const contentLength = readContentLength(c.req.raw, policy.max_bytes);
        const body = uploads.open(bodyOwners(c, config.trusted_proxies));
        try {
          body.take(contentLength);
          const { publishableKey, externalUserId } = caller;
          const visitor =
            publishableKey === null
              ? null
              : {
                  publishableKey,
                  externalUserId,
                  source: sourceSubject(publishableKey, sourceOf(c, config.trusted_proxies)),
                };
          await files.requireQuota(caller, Math.max(0, contentLength - maximumOverhead), visitor);
          const options = {
            limit: policy.max_bytes,
            onBytes: contentLength > 0 ? () => {} : body.take,
            clock,
            idleSeconds: config.limits.request.upload_idle_seconds,
          };
          return await readUpload(c, options, (upload) =>
            files.add(caller, upload, visitor, async (detected) => {
              // Checked again, because the credential may have ended during a long upload.
              await recheck();
              if (isAllowedType(policy.media_types, { detected, claimed: upload.claimedType }))
                return;
              const allowed = policy.media_types.join(', ');
              throw invalidField(
                '/file',
                `must be of one of these types: ${allowed}; it is ${detected}`,
              );
            }),
          );
        } finally {
          body.release();
        }
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/files/:id/content',
        audience: 'any',
        tag: 'Files',
        summary: 'Read an attachment',
        description:
          'With an embed token, a file of its user; an image can be shown in the page. With an API key, any file, always as a download.',
        response: null,
        responseType: 'application/octet-stream',
        problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      },
      async ({ c, caller, param }) => {
        const owner = caller.kind === 'backend' ? null : caller;
        const { file, bytes } = await files.read(owner, param('id'));
        const isImage = safeImageTypes.has(file.mime_type);
        return streamBody(c, log, {
          chunks: bytes,
          idleSeconds: config.limits.request.download_idle_seconds,
          headers: {
            // Only safe images are sent with their type, so that a browser renders no other file.
            'content-type': isImage ? file.mime_type : 'application/octet-stream',
            'content-disposition': contentDisposition(
              isImage && owner ? 'inline' : 'attachment',
              file.filename,
            ),
            'content-length': String(file.size_bytes),
            'content-security-policy': "default-src 'none'; sandbox",
            'x-content-type-options': 'nosniff',
          },
        });
      },
    ),
  ];
}

/**
 * Returns the `Content-Length` of the body; 0 without the header.
 *
 * @throws `PAYLOAD_TOO_LARGE`
 */
function readContentLength({ headers }: Request, limit: number): number {
  const contentLength = Number(headers.get('content-length') ?? 0);
  if (contentLength > limit + maximumOverhead) throw tooLarge(limit);
  return contentLength;
}
