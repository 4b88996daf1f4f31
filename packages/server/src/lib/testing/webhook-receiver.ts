import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '@inlay/protocol';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';

/** A request whose signature is valid. */
export interface ReceivedWebhook extends WebhookEvent {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Responds to the attempt with this number, from 0. */
export type Respond = (response: ServerResponse, attempt: number, event: ReceivedWebhook) => void;

export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (response) =>
    void response.writeHead(code, headers).end(body);

/**
 * Starts a receiver of webhooks, which verifies each request with the official library. It responds with
 * 204, until `respond` is replaced.
 */
export async function startWebhookReceiver() {
  const received: ReceivedWebhook[] = [];
  const refused: string[] = [];
  const receiver = {
    received,
    /** Messages of the library about requests that it did not accept. */
    refused,
    respond: status(204) as Respond,
    /** Secrets by the path of the endpoint's URL; set after the endpoint was created. */
    secrets: new Map<string, string>(),
    port: 0,
    url: '',
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const path = request.url ?? '';
    try {
      const secret = receiver.secrets.get(path) ?? '';
      // The times of a fake clock are too old for the library.
      const headers = request.headers as Record<string, string>;
      const signed = new Webhook(secret).sign(
        String(headers['webhook-id']),
        new Date(Number(headers['webhook-timestamp']) * 1000),
        body,
      );
      if (!headers['webhook-signature']?.split(' ').includes(signed)) {
        throw new Error('No matching signature found');
      }
      const event = {
        ...(JSON.parse(body) as WebhookEvent),
        id: String(headers['webhook-id']),
        path,
        headers: request.headers,
      };
      received.push(event);
      receiver.respond(response, received.length - 1, event);
    } catch (error) {
      refused.push(String(error));
      response.writeHead(401).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://127.0.0.1:${receiver.port}`;
  return receiver;
}
