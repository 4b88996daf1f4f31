import { type SetupOptions, setupServer, testApiKey } from './setup-server.ts';

/** Sets up a platform, and functions that call its automation service with an API key. */
export async function setupAutomation(options: SetupOptions = {}) {
  const server = await setupServer(options);
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await server.app.request(`/automation/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${testApiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  /** Returns the names of the items in a list. */
  const names = async (path: string): Promise<string[]> => {
    const { body } = await call('GET', path);
    return body.data.map(({ name }: { name: string }) => name);
  };
  return { ...server, call, names };
}

/** Returns the implementation of an action in TypeScript. */
export const code = (source = 'export default () => 1;') => ({
  kind: 'code',
  language: 'ts',
  source,
});
