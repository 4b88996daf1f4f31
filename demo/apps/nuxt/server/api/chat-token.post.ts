import { createPlatformClient, createTokenEndpoint } from '@inlay/node';

/** Stands for your sign-in: returns the user of the request's session, or null. Here, everyone is Ada. */
async function yourSession(_request: Request): Promise<{ id: string } | null> {
  return { id: 'ada' };
}

const tokenEndpoint = createTokenEndpoint({
  platform: createPlatformClient({
    baseUrl: useRuntimeConfig().public.inlayUrl,
    apiKey: process.env.INLAY_API_KEY,
  }),
  agent: 'demo',
  identify: async (request) => {
    const user = await yourSession(request);
    return user && { external_user_id: user.id };
  },
});

export default defineEventHandler((event) => tokenEndpoint(toWebRequest(event)));
