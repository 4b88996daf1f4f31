import staticFiles from '@fastify/static';
import { getRequestListener } from '@hono/node-server';
import { createPlatformClient, createTokenEndpoint } from '@inlay/node';
import fastify from 'fastify';

/** Stands for your sign-in: returns the user of the request's session, or null. Here, everyone is Ada. */
async function yourSession(_request: Request): Promise<{ id: string } | null> {
  return { id: 'ada' };
}

const tokenEndpoint = getRequestListener(
  createTokenEndpoint({
    platform: createPlatformClient({
      baseUrl: process.env.INLAY_URL ?? 'http://localhost:8787',
      apiKey: process.env.INLAY_API_KEY,
    }),
    agent: 'demo',
    identify: async (request) => {
      const user = await yourSession(request);
      return user && { external_user_id: user.id };
    },
  }),
);

const app = fastify();
app.post('/api/chat-token', (request, reply) => {
  // The endpoint writes the response itself.
  reply.hijack();
  return tokenEndpoint(request.raw, reply.raw);
});
app.register(staticFiles, { root: `${import.meta.dirname}/dist` });
await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
