import { FileObject } from '@inlay/protocol';
import { requireFeature } from '../agents/features.ts';
import type { Services } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { invalidField } from '../problems/api-error.ts';
import { attachmentPolicy, isAllowedType } from './attachment-policy.ts';
import type { Files } from './files.ts';
import { readUpload } from './read-upload.ts';
import { safeImageTypes, sniffType } from './sniff-type.ts';

/** Attachments: uploaded first, then referenced from a message by id. */
export function fileRoutes(
  { agents, config }: Pick<Services, 'agents' | 'config'>,
  files: Files,
): Route[] {
  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/files',
        audience: 'end_user',
        tag: 'Files',
        summary: 'Upload an attachment',
        description:
          'A part named `file`, within `attachments` of `GET /agent/v1/embed/config`. Its type is found from its content, not from what the upload claims.',
        accepts: 'multipart/form-data',
        answer: FileObject,
        problems: [
          'VALIDATION_ERROR',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'CONFLICT',
          'EMBED_FEATURE_DISABLED',
          'EMBED_QUOTA_EXCEEDED',
        ],
      },
      async ({ c, caller, recheck }) => {
        requireFeature(agents, caller.agentId, 'attachments');
        const policy = attachmentPolicy(agents.find(caller.agentId), config);
        const upload = await readUpload(c.req.raw, policy.max_bytes);
        await recheck();
        const found = sniffType(upload.bytes);
        if (!isAllowedType(policy.media_types, { found, claimed: upload.claimedType })) {
          const allowed = policy.media_types.join(', ');
          throw invalidField('/file', `must be of one of these types: ${allowed}; it is ${found}`);
        }
        return files.add(caller, upload);
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/files/:id/content',
        audience: 'end_user',
        tag: 'Files',
        summary: 'Read an attachment',
        answer: null,
        answers: 'application/octet-stream',
        problems: ['NOT_FOUND'],
      },
      async ({ c, caller, param }) => {
        const { file, bytes } = await files.read(caller, param('id'));
        const isImage = safeImageTypes.has(file.mime_type);
        const name = encodeURIComponent(file.filename).replaceAll(/['()*]/g, escapeRest);
        return c.body(ReadableStream.from(bytes), 200, {
          // What is neither a picture nor known to be harmless is no more than bytes to a browser.
          'content-type': isImage ? file.mime_type : 'application/octet-stream',
          'content-disposition': `${isImage ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
          'content-length': String(file.size_bytes),
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-store',
        });
      },
    ),
  ];
}

/** RFC 8187 allows fewer characters than `encodeURIComponent` leaves. */
function escapeRest(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
