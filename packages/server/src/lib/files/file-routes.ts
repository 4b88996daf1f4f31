import { FileObject } from '@inlay/protocol';
import type { Services } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import type { Files } from './files.ts';
import { readUpload } from './read-upload.ts';
import { safeImageTypes } from './sniff-type.ts';

/** Attachments: uploaded first, then referenced from a message by id. */
export function fileRoutes({ config }: Pick<Services, 'config'>, files: Files): Route[] {
  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/files',
        audience: 'end_user',
        tag: 'Files',
        summary: 'Upload an attachment',
        description:
          'A part named `file`. Its type is found from its content, not from what the upload claims.',
        accepts: 'multipart/form-data',
        answer: FileObject,
        problems: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'EMBED_QUOTA_EXCEEDED'],
      },
      async ({ c, caller }) => {
        const { filename, bytes } = await readUpload(c.req.raw, config.bodies.file_bytes);
        return files.add(caller, filename, bytes);
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
        return c.body(new Uint8Array(bytes), 200, {
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
