import { createPlatformClient, createTokenEndpoint } from '@inlay/node';

/** Stands for your sign-in: returns the user of the request's session, or null. Here, everyone is Ada. */
async function yourSession(_request: Request): Promise<{ id: string } | null> {
  return { id: 'ada' };
}

export const tokenEndpoint = createTokenEndpoint({
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
