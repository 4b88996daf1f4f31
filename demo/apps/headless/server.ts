import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createPlatformClient, createTokenEndpoint } from '@inlay/node';
import { Hono } from 'hono';

const platformUrl = process.env.INLAY_URL ?? 'http://localhost:8787';

/** Stands for your sign-in: returns the user of the request's session, or null. Here, everyone is Ada. */
async function yourSession(_request: Request): Promise<{ id: string } | null> {
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

const policy = `default-src 'self'; connect-src 'self' ${platformUrl}; img-src data:`;

const app = new Hono();
app.post('/api/chat-token', ({ req }) => tokenEndpoint(req.raw));
app.use(async (c, next) => {
  await next();
  c.header('content-security-policy', policy);
});
app.use(serveStatic({ root: 'dist' }));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
