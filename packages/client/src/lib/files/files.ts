import type { FileObject } from '@inlay/protocol';
import { InlayError, isInlayError } from '../errors.ts';
import type { AgentApi } from '../http/api.ts';
import { readBlob, readBody, responseError } from '../http/request.ts';
import type { Files, UploadOptions } from '../inlay-client.ts';
import type { Clock, Ports } from '../ports.ts';
import { abortError, onAbort } from '../wait.ts';
import { readFileObject } from '../wire/answers.ts';
import { sendForm } from './send-form.ts';

/** Time without progress after which an upload fails, in milliseconds. */
const longestStandstill = 60_000;

interface FilesContext {
  readonly platform: AgentApi;
  readonly ports: Ports;
}

/** The end user's files. `life` is aborted when the user changes. Loaded with the first call. */
export function ownFiles(context: FilesContext, life: AbortSignal): Files {
  return {
    upload: (file, options) => upload(context, file, { ...options, life }),
    content: (id, signal) => content(context.platform, id, { signal, life }),
  };
}

async function upload(
  { platform, ports }: FilesContext,
  file: Blob & { readonly name: string },
  { onProgress, signal, life }: UploadOptions & { readonly life: AbortSignal },
): Promise<FileObject> {
  if (!(file instanceof Blob)) {
    throw new InlayError(
      'INVALID_OPTION',
      'files.upload(file) needs a File, for example one of an <input type="file">.',
    );
  }
  const work = new AbortController();
  const undo = [life, signal].map((each) =>
    each ? onAbort(each, () => work.abort(abortError(each))) : undefined,
  );
  try {
    return await platform.withToken(async (token) => {
      const body = new FormData();
      body.append('file', file, file.name || 'file');
      const standstill = new Standstill(ports.clock, () => work.abort(standsStill()));
      try {
        const response = await (ports.sendForm ?? sendForm)({
          url: platform.url('/files'),
          headers: { accept: 'application/json', authorization: `Bearer ${token}` },
          body,
          signal: work.signal,
          onProgress(fraction) {
            standstill.moved();
            onProgress?.(fraction);
          },
        });
        if (!response.ok) throw await responseError(response);
        return await readBody(response, readFileObject);
      } catch (error) {
        if (work.signal.aborted) throw abortError(work.signal);
        throw isInlayError(error) ? error : notReached();
      } finally {
        standstill.end();
      }
    }, work.signal);
  } finally {
    for (const step of undo) step?.();
  }
}

async function content(
  platform: AgentApi,
  id: string,
  { signal, life }: { readonly signal?: AbortSignal | undefined; readonly life: AbortSignal },
): Promise<Blob> {
  const path = `/files/${encodeURIComponent(id)}/content`;
  return readBlob(await platform.send(path, { signal }), life, signal);
}

/** Calls back after a time without progress. */
class Standstill {
  readonly #clock: Clock;
  readonly #onStandstill: () => void;
  #timer: unknown;

  constructor(clock: Clock, onStandstill: () => void) {
    this.#clock = clock;
    this.#onStandstill = onStandstill;
    this.moved();
  }

  moved(): void {
    this.end();
    this.#timer = this.#clock.setTimeout(this.#onStandstill, longestStandstill);
  }

  end(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}

function standsStill(): InlayError {
  return new InlayError('NETWORK_ERROR', 'The upload stood still for 60 seconds.', {
    retryable: true,
  });
}

function notReached(): InlayError {
  return new InlayError(
    'NETWORK_ERROR',
    'The platform could not be reached, or its answer is hidden by a cross-origin rule.',
    { retryable: true },
  );
}
