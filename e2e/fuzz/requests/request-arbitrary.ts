import fc from 'fast-check';
import { catalogueModel } from '../platform.ts';
import { type Operation, type Schema, segmentsOf } from './document.ts';
import { edgeCaseText } from './edge-cases.ts';
import type { FuzzRequest } from './request.ts';
import { type Fixtures, type GenerationOptions, rarely, valueFor } from './values.ts';

type Header = readonly [name: string, value: string];

/** A generated request to an operation. */
export interface GeneratedRequest {
  operation: Operation;
  request: FuzzRequest;
}

const methods = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PURGE'];
const noValue = fc.constant(null);

/** Generates requests to all operations, with different rates of invalid values. */
export function requestsTo(
  operations: readonly Operation[],
  fixtures: () => Fixtures,
): fc.Arbitrary<GeneratedRequest> {
  return fc.oneof(
    ...operations.flatMap((operation) =>
      [0, 3, 10, 30].map((invalidPercent) =>
        requestTo(operation, { fixtures, invalidPercent }).map((request) => ({
          operation,
          request,
        })),
      ),
    ),
  );
}

function requestTo(operation: Operation, generation: GenerationOptions): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: rarely(5, fc.constantFrom(...methods), fc.constant(operation.method)),
      path: pathOf(operation, generation),
      query: queryOf(operation, generation),
      headers: headersOf(operation, generation),
      body: bodyOf(operation, generation),
      type: rarely(5, contentTypes, noValue),
      cutAfter: rarely(2, fc.integer({ min: 1, max: 400 }), noValue),
    })
    .map(({ method, path, query, headers, body, type, cutAfter }) => ({
      method,
      target: path + query,
      headers: body ? [...headers, ['content-type', type ?? body.type] as const] : headers,
      body: body?.bytes ?? null,
      cutAfter,
    }));
}

function pathOf({ path }: Operation, { fixtures }: GenerationOptions): fc.Arbitrary<string> {
  const segments = segmentsOf(path).map((segment) => {
    if (typeof segment === 'string') return fc.constant(segment);
    const existing = noValue.map(() => fixtures()[segment.fixture] ?? 'unknown');
    const unusual = encodedLoosely(edgeCaseText.map((value) => value.slice(0, 2000)));
    return rarely(8, unusual, existing);
  });
  const filled = fc.tuple(...segments).map((each) => each.join('/'));
  const wrong = filled.chain((each) => fc.constantFrom(`${each}/`, `/${each}`, `${each}/x`, '*'));
  return rarely(2, wrong, filled);
}

function queryOf({ parameters }: Operation, generation: GenerationOptions): fc.Arbitrary<string> {
  const pairs = parameters
    .filter(({ in: location }) => location === 'query')
    .map(({ name, schema, style }) => {
      if (style === 'deepObject') return rarely(50, membersOf(name), fc.constant([]));
      const values = valueFor(schema, name, generation).map((value) =>
        [value].flat().map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
      );
      const texts = values.chain((each) =>
        fc.tuple(...each.map((value) => encodedLoosely(fc.constant(value ?? '')))),
      );
      const suffix = rarely(20, fc.constant('[]'), fc.constant(''));
      const all = fc
        .tuple(suffix, texts)
        .map(([end, encoded]) => encoded.map((value) => `${name}${end}=${value}`));
      return rarely(50, all, fc.constant([]));
    });
  const malformed = fc.constantFrom(
    ...['%', '&&&', '=', '%ff=%00', '__proto__=1', 'page=%', 'limit=1'.repeat(9)],
  );
  const many = fc.constant(Array<string>(500).fill('types[]=user.message').join('&'));
  const other = rarely(5, fc.oneof({ weight: 5, arbitrary: malformed }, many), noValue);
  return fc.tuple(fc.tuple(...pairs), other).map(([declared, end]) => {
    const query = [...declared.flat(), ...(end === null ? [] : [end])].join('&');
    // `wait` is limited, because a long poll would look like a hanging request.
    return query === '' ? '' : `?${query.replaceAll(/wait(\[\])?=[^&]*/g, capWait)}`;
  });
}

/** Generates the members of a query parameter that is an object. */
function membersOf(name: string): fc.Arbitrary<string[]> {
  const text = encodedLoosely(edgeCaseText.map((value) => value.slice(0, 600)));
  const member = fc.tuple(text, text).map(([key, value]) => `${name}[${key}]=${value}`);
  return fc.array(member, { minLength: 1, maxLength: 20 });
}

function capWait(pair: string): string {
  const seconds = Number(pair.split('=')[1]);
  return seconds > 1 && seconds <= 25 ? 'wait=0.1' : pair;
}

/**
 * Encodes texts for a path or query, or sometimes generates an invalid or unusual encoding instead. The
 * results contain no line breaks.
 */
function encodedLoosely(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const invalid = fc.constantFrom('%', '%zz', '%ff%fe', '%00', '%2f', '..', '%2e%2e');
  // Converted to bytes first, because encodeURIComponent() throws for a lone surrogate.
  const encoded = text.map((value) => encodeURIComponent(Buffer.from(value).toString()));
  return rarely(10, invalid, encoded);
}

/** Generates the headers except `content-type`. */
function headersOf(
  { credential, parameters }: Operation,
  { fixtures }: GenerationOptions,
): fc.Arbitrary<readonly Header[]> {
  const scheme = rarely(
    2,
    fc.constantFrom('Basic', 'bearer', 'Bearer Bearer', ''),
    fc.constant('Bearer'),
  );
  const credentials = fc.constantFrom('apiKey', 'embedToken', 'no');
  const authorization = fc
    .tuple(
      rarely(7, credentials, fc.constant(credential)),
      scheme,
      rarely(1, fc.constant('x'), fc.constant('')),
    )
    .map(([token, start, end]): Header[] => {
      const value = fixtures()[token];
      return value === undefined ? [] : [['authorization', `${start} ${value}${end}`]];
    });
  const origins = fc.constantFrom('null', 'https://evil.example', 'x', 'http://localhost:1/');
  const allowed = noValue.map(() => fixtures().origin ?? '');
  const origin = rarely(7, origins, allowed).map((value): Header[] => [['origin', value]]);
  const key = fc.integer({ min: 1, max: 1e6 }).map((number) => `key-${number}`);
  const none = fc.constant<Header[]>([]);
  const declared = parameters
    .filter(({ in: location }) => location === 'header')
    .map(({ name }) => fc.oneof(key, headerText).map((value): Header[] => [[name, value]]));
  return fc
    .tuple(
      rarely(1, none, fc.constant<Header[]>([['host', '127.0.0.1']])),
      authorization,
      credential === 'apiKey' ? rarely(3, origin, none) : origin,
      ...declared.map((header) => rarely(40, header, none)),
      rarely(6, unusualHeader, none),
      rarely(1, lastEventIdHeader, none),
    )
    .map((headers) => headers.flat());
}

/** A header value without line breaks, which would start another header. */
const headerText = edgeCaseText.map((text) => text.replaceAll(/[\r\n\0]/g, '?').slice(0, 9000));

const lastEventIdHeader = headerText.map((value): Header[] => [['last-event-id', value]]);

const unusualHeader: fc.Arbitrary<Header[]> = fc
  .constantFrom<Header>(
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
    ['cookie', 'x'.repeat(5000)],
    ['x-long', 'x'.repeat(20_000)],
    ['bad name', '1'],
    ['access-control-request-method', 'POST'],
  )
  .map((header) => [header]);

const contentTypes = fc.constantFrom(
  ...['text/plain', 'application/json; charset=utf-16', 'x', '', 'multipart/form-data'],
);

interface Body {
  type: string;
  bytes: Buffer;
}

function bodyOf({ body }: Operation, generation: GenerationOptions): fc.Arbitrary<Body | null> {
  if (!body)
    return rarely(5, fc.constant({ type: 'text/plain', bytes: Buffer.from('x') }), noValue);
  const json = body.type === '*/*' ? videoSchema : body.schema;
  const valid =
    body.type === 'multipart/form-data'
      ? formBody
      : valueFor(json, '', generation).map((value) => ({
          type: 'application/json',
          bytes: Buffer.from(JSON.stringify(value) ?? ''),
        }));
  return rarely(8, corruptedBody(valid), valid);
}

/** Text fields of forms, which are ignored where they have no meaning. */
const formFields = ['purpose=user_data', 'prompt=A cat', `model=${catalogueModel}`, 'model=m'];

const formBody = fc
  .record({
    fields: fc.subarray([...formFields, 'expires_after[seconds]=5', 'temperature=x', '=']),
    name: rarely(20, fc.constantFrom('', 'File', '__proto__'), fc.constant('file')),
    filename: fc.constantFrom('a.txt', '', '../a', 'ü.png'),
    content: fc.constantFrom(
      ...['hello', '', '\x89PNG\r\n\x1a\n', '<svg onload="x">', 'x'.repeat(5000)],
    ),
    boundary: rarely(10, fc.constant(''), fc.constant('b')),
  })
  .map(({ fields, name, filename, content, boundary }) => ({
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(
      `${fields.map(formPart).join('')}--b\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n${content}\r\n--b--\r\n`,
    ),
  }));

function formPart(field: string): string {
  const [name, value] = field.split('=');
  return `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** The body of a video task, which may be a form or JSON. */
const videoSchema: Schema = {
  type: 'object',
  properties: {
    model: { type: 'string' },
    prompt: { type: 'string' },
    seconds: { type: 'string', enum: ['4', '8'] },
  },
  required: ['prompt'],
};

/** Functions that make a body invalid, some of them at the position `at`. */
const corruptions: ((bytes: Buffer, at: number) => Buffer)[] = [
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xfe, 0]), bytes.subarray(at)]),
  (bytes) => Buffer.concat([Buffer.from('\uFEFF'), bytes]),
  (bytes) => Buffer.concat([bytes, bytes]),
  () => Buffer.from('['.repeat(50_000)),
  () => Buffer.from(`{"a":${'9'.repeat(400)}}`),
  () => Buffer.from('NaN'),
  () => Buffer.alloc(0),
  () => Buffer.from('"text"'),
  () => Buffer.alloc(1_048_577, 0x20),
  () => Buffer.alloc(2_000_000, 0x20),
];

function corruptedBody(body: fc.Arbitrary<Body>): fc.Arbitrary<Body> {
  return fc
    .tuple(body, fc.constantFrom(...corruptions), fc.nat({ max: 1000 }))
    .map(([{ type, bytes }, corrupt, perMille]) => ({
      type,
      bytes: corrupt(bytes, Math.floor((bytes.length * perMille) / 1000)),
    }));
}
