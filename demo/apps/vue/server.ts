import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createPlatformClient, createTokenEndpoint } from '@inlay/node';
import { Hono } from 'hono';

/** Stands for your sign-in: returns the user of the request's session, or null. Here, everyone is Ada. */
async function yourSession(_request: Request): Promise<{ id: string } | null> {
  return { id: 'ada' };
}

const tokenEndpoint = createTokenEndpoint({
  platform: createPlatformClient({
    baseUrl: process.env.INLAY_URL ?? 'http://localhost:8787',
    apiKey: process.env.INLAY_API_KEY,
  }),
  agent: 'demo',
  identify: async (request) => {
    const user = await yourSession(request);
    return user && { external_user_id: user.id };
  },
});

const app = new Hono();
app.post('/api/chat-token', ({ req }) => tokenEndpoint(req.raw));
app.use(serveStatic({ root: 'dist' }));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
