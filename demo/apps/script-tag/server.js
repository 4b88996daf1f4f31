import { getRequestListener } from '@hono/node-server';
import { createPlatformClient, createTokenEndpoint } from '@inlay/node';
import express from 'express';

const platformUrl = process.env.INLAY_URL ?? 'http://localhost:8787';

/** Stands for your sign-in: returns the user of the request's session, or null. Here, everyone is Ada. */
async function yourSession(_request) {
  return { id: 'ada' };
}

const tokenEndpoint = createTokenEndpoint({
  platform: createPlatformClient({ baseUrl: platformUrl, apiKey: process.env.INLAY_API_KEY }),
  agent: 'demo',
  identify: async (request) => {
    const user = await yourSession(request);
    return user && { external_user_id: user.id };
  },
});

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>Inlay with a script tag</title>
    <script async src="${platformUrl}/inlay.js" data-token-url="/api/chat-token"></script>
  </head>
  <body>
    <h1>My site</h1>
    <p>The chat is at the bottom of the page.</p>
  </body>
</html>`;

/** The minimal policy for the chat. `style-src` is not needed, because the chat sets no inline styles. */
const policy = [
  "default-src 'none'",
  `script-src ${platformUrl}`,
  `connect-src 'self' ${platformUrl}`,
  'img-src data: blob:',
  'trusted-types lit-html',
  "require-trusted-types-for 'script'",
].join('; ');

const app = express();
app.post('/api/chat-token', getRequestListener(tokenEndpoint));
app.get('/', (_request, response) => {
  response.set('content-security-policy', policy).type('html').send(page);
});
const port = process.env.PORT ?? 3000;
app.listen(port, (error) => {
  if (error) throw error;
  console.log(`The page is at http://localhost:${port}`);
});
