import { createPlatformClient, createTokenEndpoint } from '@inlay/node';
import type { RequestEvent } from '@sveltejs/kit';
import { env } from '$env/dynamic/private';
import { env as publicEnv } from '$env/dynamic/public';

/** Stands for your sign-in: returns the user of the request's session, or null. Here, everyone is Ada. */
async function yourSession(_request: Request): Promise<{ id: string } | null> {
  return { id: 'ada' };
}

const tokenEndpoint = createTokenEndpoint({
  platform: createPlatformClient({
    baseUrl: publicEnv.PUBLIC_INLAY_URL ?? 'http://localhost:8787',
    apiKey: env.INLAY_API_KEY,
  }),
  agent: 'demo',
  identify: async (request) => {
    const user = await yourSession(request);
    return user && { external_user_id: user.id };
  },
});

export const POST = ({ request }: RequestEvent) => tokenEndpoint(request);
