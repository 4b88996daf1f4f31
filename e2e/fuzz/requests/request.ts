/** A request as it goes over the wire, in parts that can be left out one by one. */
export interface FuzzRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
  /** Bytes after which the connection is closed from our side; null for all of it. */
  cutAfter: number | null;
}

/** The bytes of a request. Nothing is put right, so that what is wrong arrives so. */
export function bytesOf({ method, target, headers, body, cutAfter }: FuzzRequest): Buffer {
  const fields = [...headers, ...lengthOf(headers, body), ['connection', 'close']];
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  const whole = Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'utf8'),
    body ?? Buffer.alloc(0),
  ]);
  return cutAfter === null ? whole : whole.subarray(0, cutAfter);
}

/** Whether the server would wait for more of it: then our side says that nothing comes. */
export function isUnfinished({ headers, body, cutAfter }: FuzzRequest): boolean {
  const promises = headers.some(
    ([name, value]) =>
      name === 'transfer-encoding' ||
      (name === 'content-length' && Number(value) > (body?.length ?? 0)),
  );
  return promises || cutAfter !== null;
}

function lengthOf(headers: FuzzRequest['headers'], body: Buffer | null): [string, string][] {
  const isSaid = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  return body === null || isSaid ? [] : [['content-length', String(body.length)]];
}

/** A line for a shell that sends the request again. */
export function toCurl(
  { method, target, headers, body, cutAfter }: FuzzRequest,
  url: string,
): string {
  const parts = [
    'curl -si --path-as-is',
    `-X ${quote(method)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${quote(body.toString('latin1'))}`]),
    quote(url + target),
    ...(cutAfter === null ? [] : [`# closed after ${cutAfter} bytes`]),
  ];
  return parts.join(' ');
}

/** ANSI-C quoting, which bash and zsh turn back into the same bytes. */
function quote(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("'")) return `'${text}'`;
  const escaped = [...Buffer.from(text, isLatin(text) ? 'latin1' : 'utf8')]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c
        ? `\\x${byte.toString(16).padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
  return `$'${escaped}'`;
}

function isLatin(text: string): boolean {
  return [...text].every((character) => character.charCodeAt(0) <= 0xff);
}
