/** Serves the built page, and the token endpoint under `/api`. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { POST } from './build/chat-token.js';

const page = readFileSync(new URL('dist/index.html', import.meta.url));

createServer(async (request, response) => {
  if (!request.url.startsWith('/api/')) return response.end(page);
  const url = `http://${request.headers.host}${request.url}`;
  const answer = await POST(new Request(url, { method: request.method }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  return response.end(await answer.text());
}).listen(Number(process.env.PORT));
