import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A span as the JSON encoding of OTLP has it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal; 2: server; 3: client. */
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  /** The code is 2 after a failure. */
  readonly status: { readonly code?: number };
}

/** Starts a receiver of OTLP/HTTP. */
export async function startTraceReceiver() {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
      for (const { spans: received } of scopeSpans) spans.push(...received);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}
