import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The upstream of the compatible prefixes. It accepts every request. */
export interface Upstream {
  readonly url: string;
  close(): void;
}

const message = {
  type: 'message',
  id: 'msg_0123456789abcdef0123456789abcdef',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
};
const videoTask = { id: 'up_1', object: 'video', status: 'completed', seconds: '4', model: 'm' };

/** Response bodies by path without the version. Other paths get an empty object. */
const responseBodies: Readonly<Record<string, object>> = {
  '/chat/completions': {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  '/responses': { id: 'resp_u', object: 'response', status: 'completed', output: [message] },
  '/models': { object: 'list', data: [{ id: 'm', object: 'model' }] },
  '/videos': videoTask,
  '/videos/up_1': videoTask,
};

const responseStreams: Readonly<Record<string, object[]>> = {
  '/chat/completions': [
    { choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] },
  ],
  '/responses': [
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.completed', response: responseBodies['/responses'] },
  ],
};

export async function startUpstream(): Promise<Upstream> {
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '').replace(/^\/v1(beta)?/, '');
    const body = await readBody(request).catch(() => '');
    const events = body.includes('"stream":true') ? responseStreams[path] : undefined;
    if (events) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
      response.end('data: [DONE]\n\n');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(responseBodies[path] ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
