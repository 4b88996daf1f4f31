/** A page that uploads files with the client, and records the progress. */
import { createInlayClient, fetchToken, hostTokens, isInlayError } from '@inlay/client';

const platform = new URLSearchParams(location.search).get('platform') ?? '';
let tokens = 0;
const client = createInlayClient({
  baseUrl: platform,
  tokens: hostTokens(() => {
    tokens += 1;
    return fetchToken('/api/chat-token')();
  }),
});

/** Uploads a file, and returns the outcome in a form that a test can read. */
async function upload(bytes: number, options: { abortAt?: number } = {}) {
  const progress: number[] = [];
  const controller = new AbortController();
  const file = new File([new Uint8Array(bytes).fill(120)], 'notes.txt', {
    type: 'text/plain',
  });
  try {
    const { id } = await client.files.upload(file, {
      signal: controller.signal,
      onProgress(fraction) {
        progress.push(fraction);
        if (fraction >= (options.abortAt ?? Infinity)) controller.abort();
      },
    });
    const { size } = await client.files.content(id);
    return { size, progress, tokens };
  } catch (error) {
    if (!isInlayError(error)) throw error;
    const { code, status, requestId } = error;
    return { code, status, requestId, errors: error.problem?.errors, progress, tokens };
  }
}

Object.assign(window, { upload });
