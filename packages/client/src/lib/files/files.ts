import type { FileObject } from '@inlay/protocol';
import type { Activity } from '../activity/activity.ts';
import { InlayError, networkError, throwNetworkError } from '../errors.ts';
import type { AgentApi } from '../http/api.ts';
import { readBlob, readBody, requestInit, responseError } from '../http/request.ts';
import type { Files, UploadOptions } from '../inlay-client.ts';
import type { Clock, Ports, SendForm } from '../ports.ts';
import { readerOf } from '../responses/read-responses.ts';
import { abortError, onAbort, untilAborted } from '../wait.ts';

/** Time without progress after which an upload fails, in milliseconds. */
const progressTimeout = 60_000;

const readFileObject = readerOf<FileObject>({
  id: 'string',
  filename: 'string',
  mime_type: 'string',
  size_bytes: 'number',
});

interface FilesContext {
  readonly platform: AgentApi;
  readonly ports: Ports;
  readonly onActivity: (activity: Activity) => void;
}

/**
 * Creates the file functions of one end user.
 *
 * @param userSignal Aborted when the user changes.
 */
export function createUserFiles(context: FilesContext, userSignal: AbortSignal): Files {
  return {
    upload: (file, options) => upload(context, file, { ...options, userSignal }),
    content: (id, signal) => downloadContent(context.platform, id, { signal, userSignal }),
  };
}

async function upload(
  { platform, ports, onActivity }: FilesContext,
  file: Blob & { readonly name: string },
  { onProgress, signal, userSignal }: UploadOptions & { readonly userSignal: AbortSignal },
): Promise<FileObject> {
  if (!(file instanceof Blob)) {
    throw new InlayError(
      'INVALID_OPTION',
      'files.upload(file) needs a File, for example one of an <input type="file">.',
    );
  }
  const controller = new AbortController();
  const unsubscribe = [userSignal, signal].map((each) =>
    each ? onAbort(each, () => controller.abort(abortError(each))) : undefined,
  );
  try {
    return await platform.withToken(async (token) => {
      const body = new FormData();
      body.append('file', file, file.name || 'file');
      const start = ports.clock.mono();
      let status: number | null = null;
      let code: string | null = 'UPLOAD_FAILED';
      const watchdog = new ProgressWatchdog(ports.clock, () => controller.abort(stalledError()));
      try {
        const response = await (ports.sendForm ?? sendForm)({
          url: platform.url('/files'),
          headers: requestInit(token).headers,
          body,
          signal: controller.signal,
          onProgress(fraction) {
            watchdog.restart();
            onProgress?.(fraction);
          },
        }).catch(throwNetworkError);
        status = response.status;
        if (!response.ok) throw await responseError(response);
        const uploaded = await readBody(response, readFileObject);
        code = null;
        return uploaded;
      } catch (error) {
        if (controller.signal.aborted) throw abortError(controller.signal);
        throw error;
      } finally {
        watchdog.stop();
        onActivity({
          type: 'request',
          method: 'POST',
          path: '/files',
          status,
          code,
          durationMs: Math.round(ports.clock.mono() - start),
          requestId: null,
        });
      }
    }, controller.signal);
  } finally {
    for (const step of unsubscribe) step?.();
  }
}

async function downloadContent(
  platform: AgentApi,
  id: string,
  {
    signal,
    userSignal,
  }: { readonly signal?: AbortSignal | undefined; readonly userSignal: AbortSignal },
): Promise<Blob> {
  const path = `/files/${encodeURIComponent(id)}/content`;
  const content = readBlob(await platform.send(path, { signal }), userSignal);
  return untilAborted(content, signal);
}

/** Calls `onTimeout` after a minute without progress. */
class ProgressWatchdog {
  readonly #clock: Clock;
  readonly #onTimeout: () => void;
  #timer: unknown;

  constructor(clock: Clock, onTimeout: () => void) {
    this.#clock = clock;
    this.#onTimeout = onTimeout;
    this.restart();
  }

  restart(): void {
    this.stop();
    this.#timer = this.#clock.setTimeout(this.#onTimeout, progressTimeout);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}

function stalledError(): InlayError {
  return networkError('The upload made no progress for 60 seconds.');
}

/**
 * Sends a form with `XMLHttpRequest`, because `fetch` does not report upload progress. Unlike `fetch`,
 * `XMLHttpRequest` can't disallow redirects. Browsers remove the token from redirects to other origins.
 */
const sendForm: SendForm = ({ url, headers, body, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const fail = () => {
      signal.removeEventListener('abort', abort);
      reject(new TypeError('The upload failed.'));
    };
    if (signal.aborted) return fail();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      signal.removeEventListener('abort', abort);
      resolve(responseOf(request));
    };
    request.onerror = fail;
    request.onabort = fail;
    signal.addEventListener('abort', abort);
    request.send(body);
  });

/** Returns the response with the headers that the client reads. */
function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['retry-after', 'x-request-id']) {
    // Reading a header that CORS does not expose would log an error.
    const value = request.getAllResponseHeaders().includes(`${name}:`)
      ? request.getResponseHeader(name)
      : null;
    if (value !== null) headers.set(name, value);
  }
  // Some statuses can't have a body, not even an empty one.
  return new Response(request.responseText || null, { status: request.status, headers });
}
