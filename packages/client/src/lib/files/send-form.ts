import type { SendForm } from '../ports.ts';

/**
 * Sends a form through `XMLHttpRequest`, because `fetch` does not tell how far an upload is. It can't
 * refuse a redirect, as `fetch` can; a browser takes the token out on the way to another origin.
 */
export const sendForm: SendForm = ({ url, headers, body, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const failed = () => {
      signal.removeEventListener('abort', abort);
      reject(new TypeError('The upload failed.'));
    };
    if (signal.aborted) return failed();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      signal.removeEventListener('abort', abort);
      resolve(responseOf(request));
    };
    request.onerror = failed;
    request.onabort = failed;
    signal.addEventListener('abort', abort);
    request.send(body);
  });

/** The answer with the headers that are read of it. */
function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['retry-after', 'x-request-id']) {
    // One that the platform does not expose to other origins is null, and says so in the console.
    const value = request.getAllResponseHeaders().includes(`${name}:`)
      ? request.getResponseHeader(name)
      : null;
    if (value !== null) headers.set(name, value);
  }
  // An empty text is no body: some statuses can't have one.
  return new Response(request.responseText || null, { status: request.status, headers });
}
