import type { FuzzRequest } from './requests/request.ts';

/** Maximum number of requests that are sent to shrink one. */
const maxAttempts = 60;

/** Removes parts of a request as long as `stillFails`, and returns the smallest one. */
export async function shrink(
  request: FuzzRequest,
  stillFails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let smallest = request;
  let sent = 0;
  for (let found = true; found; ) {
    found = false;
    for (const smaller of smallerThan(smallest)) {
      if (sent >= maxAttempts) return smallest;
      sent += 1;
      if (!(await stillFails(smaller))) continue;
      smallest = smaller;
      found = true;
      break;
    }
  }
  return smallest;
}

function* smallerThan(request: FuzzRequest): Iterable<FuzzRequest> {
  const { target, headers, body } = request;
  if (request.cutAfter !== null) yield { ...request, cutAfter: null };
  const [path = '', query] = target.split('?');
  if (query !== undefined) {
    const pairs = query.split('&');
    yield { ...request, target: path };
    for (const pair of pairs) {
      const rest = pairs.filter((each) => each !== pair);
      if (rest.length > 0) yield { ...request, target: `${path}?${rest.join('&')}` };
    }
  }
  if (body !== null) {
    yield { ...request, body: null };
    for (const smaller of smallerJson(body)) yield { ...request, body: smaller };
  }
  for (const header of headers) {
    if (header[0] !== 'host') {
      yield { ...request, headers: headers.filter((each) => each !== header) };
    }
  }
}

function* smallerJson(body: Buffer): Iterable<Buffer> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    if (body.length > 1) yield body.subarray(0, Math.floor(body.length / 2));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const rest = Array.isArray(value)
      ? value.filter((_, at) => String(at) !== key)
      : Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    yield Buffer.from(JSON.stringify(rest));
  }
}
