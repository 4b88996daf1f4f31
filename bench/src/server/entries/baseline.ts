/**
 * The baseline of the server benchmarks: `node:http` with the same bytes on the wire, without
 * authentication, storage or limits.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { IssueTokenRequest } from '@inlay/protocol';

const issued = JSON.stringify({
  id: `emb_${'0'.repeat(24)}`,
  token: `et_${'0'.repeat(43)}`,
  expires_at: '2026-01-01T00:00:00.000Z',
});
const event = `event: session.updated\nid: 1\ndata: ${JSON.stringify({
  type: 'session.updated',
  id: `evt_${'0'.repeat(24)}`,
  processed_at: '2026-01-01T00:00:00.000Z',
  seq: 1,
  title: 'mark-00000000',
  metadata: {},
  archived_at: null,
})}\n\n`;

/** Open streams by the number that their client has assigned. */
const streams = new Map<string, ServerResponse>();

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  switch (url.pathname) {
    case '/agent/v1/embed_tokens':
      issueToken(request, response);
      break;
    case '/stream':
      openStream(url.searchParams.get('number') ?? '', response);
      break;
    case '/v1/messages':
      sendStream(url.searchParams, response);
      break;
    case '/publish': {
      const frame = event.replace('mark-00000000', url.searchParams.get('mark') ?? '');
      streams.get(url.searchParams.get('number') ?? '')?.write(frame);
      respond(response, 200, '{}');
      break;
    }
    case '/close':
      streams.get(url.searchParams.get('number') ?? '')?.end();
      respond(response, 200, '{}');
      break;
    case '/close-all':
      for (const stream of streams.values()) stream.end();
      respond(response, 200, '{}');
      break;
    default:
      respond(response, 200, '{"status":"ok"}');
  }
});
server.listen(Number(process.env.PORT), '127.0.0.1');
setInterval(() => {
  for (const stream of streams.values()) stream.write(':\n\n');
}, 15_000);

function issueToken(request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (IssueTokenRequest.safeParse(body).success) respond(response, 200, issued);
    else respond(response, 400, '{}');
  });
}

function openStream(number: string, response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(':\n\n');
  streams.set(number, response);
  response.on('close', () => streams.delete(number));
}

const piece = `data: ${'x'.repeat(1016)}\n\n`;

/** Sends a stream of `bytes` bytes in pieces of 1 KiB, after `delay` milliseconds. */
function sendStream(query: URLSearchParams, response: ServerResponse) {
  let left = Number(query.get('bytes'));
  const send = () => {
    while (left > 0) {
      left -= piece.length;
      if (!response.write(piece) && left > 0) return void response.once('drain', send);
    }
    response.end();
  };
  setTimeout(
    () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send();
    },
    Number(query.get('delay')),
  );
}

function respond(response: ServerResponse, status: number, body: string) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
