/** A request in parts that can be removed individually. */
export interface FuzzRequest {
  method: string;
  /** Path with query. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
  /** Number of bytes after which the client closes the connection; null for the complete request. */
  cutAfter: number | null;
}

/** Serializes a request without correcting its errors. */
export function bytesOf({ method, target, headers, body, cutAfter }: FuzzRequest): Buffer {
  const fields = [...headers, ...lengthOf(headers, body), ['connection', 'close']];
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  const serialized = Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'utf8'),
    body ?? Buffer.alloc(0),
  ]);
  return cutAfter === null ? serialized : serialized.subarray(0, cutAfter);
}

/** Whether the server would wait for more bytes if the client did not half-close the connection. */
export function isUnfinished({ headers, body, cutAfter }: FuzzRequest): boolean {
  const promises = headers.some(
    ([name, value]) =>
      name === 'transfer-encoding' ||
      (name === 'content-length' && Number(value) > (body?.length ?? 0)),
  );
  return promises || cutAfter !== null;
}

function lengthOf(headers: FuzzRequest['headers'], body: Buffer | null): [string, string][] {
  const isExplicit = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  return body === null || isExplicit ? [] : [['content-length', String(body.length)]];
}

/** Creates a shell command that repeats the request. */
export function toCurl(
  { method, target, headers, body, cutAfter }: FuzzRequest,
  url: string,
): string {
  const parts = [
    'curl -si --path-as-is',
    `-X ${quote(method)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${dataArgument(body)}`]),
    quote(url + target),
    ...(cutAfter === null ? [] : [`# closed after ${cutAfter} bytes`]),
  ];
  return parts.join(' ');
}

/**
 * Passes a body with NUL bytes as a file, because an argument cannot contain them, and one that starts
 * with `@`, because curl would treat it as a file name.
 */
function dataArgument(body: Buffer): string {
  if (!body.includes(0) && body[0] !== 0x40) return quote(body);
  return `@<(base64 -d <<< ${body.toString('base64')})`;
}

/** ANSI-C quoting, which bash and zsh decode to the same bytes. NUL bytes cannot be quoted. */
function quote(value: string | Buffer): string {
  const bytes = Buffer.from(value);
  if (bytes.every((byte) => byte >= 0x20 && byte <= 0x7e && byte !== 0x27)) return `'${bytes}'`;
  const escaped = [...bytes]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c
        ? `\\x${byte.toString(16).padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
  return `$'${escaped}'`;
}
