import type { Chooser } from './chooser.ts';
import type { Operation } from './document.ts';
import { edgeCaseText } from './edge-cases.ts';
import type { FuzzRequest } from './request.ts';
import { type GenerationOptions, makeValue } from './values.ts';

const methods = [
  'GET',
  'POST',
  'DELETE',
  'PUT',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PURGE',
] as const;

/** Generates a request to an operation, usually with one or more errors. */
export function makeRequest(operation: Operation, generation: GenerationOptions): FuzzRequest {
  const { choose } = generation;
  const body = makeBody(operation, generation);
  const headers = makeHeaders(operation, body?.type ?? null, generation);
  const target = pathOf(operation, generation) + queryOf(operation, generation);
  return {
    method: choose.percent(5) ? choose.pick(methods) : operation.method,
    target,
    headers: [...(choose.percent(1) ? [] : ([['host', '127.0.0.1']] as const)), ...headers],
    body: body?.bytes ?? null,
    cutAfter: choose.percent(2) ? choose.between(1, 400) : null,
  };
}

function pathOf({ path }: Operation, { choose, fixtures }: GenerationOptions): string {
  // The meaning of `{id}` depends on the collection before it.
  const filled = path.replace(/(\w+)\/\{(\w+)\}/g, (_, collection: string, name: string) => {
    const value = choose.percent(8)
      ? encodeLoosely(edgeCaseText(choose).slice(0, 2000), choose)
      : (fixtures[`${collection}/${name}`] ?? 'unknown');
    return `${collection}/${value}`;
  });
  return choose.percent(2) ? choose.pick([`${filled}/`, `/${filled}`, `${filled}/x`, '*']) : filled;
}

function queryOf({ parameters }: Operation, generation: GenerationOptions): string {
  const { choose } = generation;
  const pairs: string[] = [];
  for (const { name, in: location, schema } of parameters) {
    if (location !== 'query' || choose.percent(50)) continue;
    for (const value of [makeValue(schema, name, generation)].flat()) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      pairs.push(`${name}${choose.percent(20) ? '[]' : ''}=${encodeLoosely(text ?? '', choose)}`);
    }
  }
  if (choose.percent(5)) {
    pairs.push(
      choose.pick(['%', '&&&', '=', '%ff=%00', '__proto__=1', 'page=%', 'limit=1'.repeat(9)]),
    );
  }
  if (choose.percent(1)) pairs.push(...Array<string>(500).fill('types[]=user.message'));
  const query = pairs.join('&');
  // Limits `wait`, because a long poll would look like a hanging request.
  return query === '' ? '' : `?${query.replaceAll(/wait(\[\])?=[^&]*/g, capWait)}`;
}

function capWait(pair: string): string {
  const seconds = Number(pair.split('=')[1]);
  return seconds > 1 && seconds <= 25 ? 'wait=0.1' : pair;
}

/** Encodes a query value, sometimes as an invalid percent encoding, but never with a line break. */
function encodeLoosely(text: string, choose: Chooser): string {
  if (choose.percent(10)) return choose.pick(['%', '%zz', '%ff%fe', '%00', '%2f', '..', '%2e%2e']);
  // Converted to bytes first, because encodeURIComponent() throws for a lone surrogate.
  return encodeURIComponent(Buffer.from(text).toString());
}

function makeHeaders(
  { credential, parameters }: Operation,
  type: string | null,
  generation: GenerationOptions,
): [string, string][] {
  const { choose, fixtures } = generation;
  const headers: [string, string][] = [];
  const token =
    fixtures[choose.percent(93) ? credential : choose.pick(['apiKey', 'embedToken', 'no'])];
  if (token !== undefined) {
    const scheme = choose.percent(2)
      ? choose.pick(['Basic', 'bearer', 'Bearer Bearer', ''])
      : 'Bearer';
    headers.push(['authorization', `${scheme} ${token}${choose.percent(1) ? 'x' : ''}`]);
  }
  if (credential !== 'apiKey' || choose.percent(3)) {
    const origins = ['null', 'https://evil.example', 'x', 'http://localhost:1/'] as const;
    headers.push(['origin', choose.percent(93) ? (fixtures.origin ?? '') : choose.pick(origins)]);
  }
  if (type !== null) {
    const types = [
      'text/plain',
      'application/json; charset=utf-16',
      'x',
      '',
      'multipart/form-data',
    ] as const;
    headers.push(['content-type', choose.percent(95) ? type : choose.pick(types)]);
  }
  for (const { name, in: location } of parameters) {
    if (location !== 'header' || choose.percent(60)) continue;
    headers.push([name, choose.percent(50) ? `key-${choose.between(1, 1e6)}` : headerText(choose)]);
  }
  if (choose.percent(6)) headers.push(unusualHeader(choose));
  return headers;
}

function unusualHeader(choose: Chooser): [string, string] {
  return choose.pick<[string, string]>([
    ['accept', 'text/event-stream'],
    ['accept', 'x/y;q=9'],
    ['x-forwarded-for', '::ffff:1.2.3.4, nonsense'],
    ['x-http-method-override', 'DELETE'],
    ['content-length', '5'],
    ['content-length', '-1'],
    ['content-length', '99999999999'],
    ['transfer-encoding', 'chunked'],
    ['transfer-encoding', 'gzip'],
    ['content-encoding', 'gzip'],
    ['expect', '100-continue'],
    ['range', 'bytes=0-'],
    ['last-event-id', headerText(choose)],
    ['cookie', 'x'.repeat(5000)],
    ['x-long', 'x'.repeat(20_000)],
    ['bad name', '1'],
    ['access-control-request-method', 'POST'],
  ]);
}

/** A header value without line breaks, which would start another header. */
function headerText(choose: Chooser): string {
  return edgeCaseText(choose)
    .replaceAll(/[\r\n\0]/g, '?')
    .slice(0, 9000);
}

function makeBody(
  { body }: Operation,
  generation: GenerationOptions,
): { type: string; bytes: Buffer } | null {
  if (!body)
    return generation.choose.percent(5) ? { type: 'text/plain', bytes: Buffer.from('x') } : null;
  if (body.type === 'multipart/form-data') return makeForm(generation.choose);
  const value = makeValue(body.schema, '', generation);
  const bytes = Buffer.from(JSON.stringify(value) ?? '', 'utf8');
  return { type: 'application/json', bytes: corrupt(bytes, generation.choose) };
}

function makeForm(choose: Chooser): { type: string; bytes: Buffer } {
  const name = choose.percent(80) ? 'file' : choose.pick(['', 'File', '__proto__']);
  const content = choose.pick([
    'hello',
    '',
    '\x89PNG\r\n\x1a\n',
    '<svg onload="x">',
    'x'.repeat(5000),
  ]);
  const text = `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${choose.pick(['a.txt', '', '../a', 'ü.png'])}"\r\n\r\n${content}\r\n--b--\r\n`;
  const type = choose.percent(90)
    ? 'multipart/form-data; boundary=b'
    : 'multipart/form-data; boundary=';
  return { type, bytes: corrupt(Buffer.from(text), choose) };
}

/** Sometimes makes a body invalid. */
function corrupt(bytes: Buffer, choose: Chooser): Buffer {
  if (!choose.percent(8)) return bytes;
  const middle = choose.between(0, bytes.length);
  return choose.pick([
    bytes.subarray(0, middle),
    Buffer.concat([
      bytes.subarray(0, middle),
      Buffer.from([0xff, 0xfe, 0]),
      bytes.subarray(middle),
    ]),
    Buffer.concat([Buffer.from('\uFEFF'), bytes]),
    Buffer.concat([bytes, bytes]),
    Buffer.from('['.repeat(50_000)),
    Buffer.from(`{"a":${'9'.repeat(400)}}`),
    Buffer.from('NaN'),
    Buffer.alloc(0),
    Buffer.from('"text"'),
    Buffer.alloc(choose.pick([1_048_577, 2_000_000]), 0x20),
  ]);
}
