import type { SendForm } from '../ports.ts';

/**
 * Sends a form with `XMLHttpRequest`, because `fetch` does not report upload progress. Unlike `fetch`,
 * `XMLHttpRequest` can't disallow redirects. Browsers remove the token from redirects to other origins.
 */
export const sendForm: SendForm = ({ url, headers, body, signal, onProgress }) =>
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
