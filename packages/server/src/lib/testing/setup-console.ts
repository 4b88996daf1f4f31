import { runOperatorsCommand } from '../commands/operators-command.ts';
import type { ConfigInput } from '../config/config.ts';
import { systemRandom } from '../random.ts';
import { setupServer, testBaseUrl } from './setup-server.ts';

export interface RequestOptions {
  cookie?: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sets up a platform, and operators who use its console. */
export async function setupConsole(
  secrets: Record<string, string> = {},
  config: Partial<ConfigInput> = {},
) {
  const server = await setupServer({ secrets, config });
  const { app, clock, store } = server;
  const deps = { store, clock, random: systemRandom, consoleUrl: `${testBaseUrl}/console` };
  const operators = (...args: string[]) => runOperatorsCommand(args, deps);
  const request = async (method: string, path: string, options: RequestOptions = {}) => {
    const { cookie, token, body, headers } = options;
    return app.request(path.startsWith('/agent/') ? path : `/console/api${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(cookie && { cookie }),
        ...(token && { 'x-console-token': token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const signIn = async (body: object) => {
    const response = await request('POST', '/session', { body });
    const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
    const answer = (await response.json()) as { token: string; detail?: string };
    return { response, cookie, token: answer.token, answer };
  };
  const linkOf = async (...args: string[]) => (await operators(...args)).split('#link=')[1] ?? '';
  return {
    ...server,
    operators,
    request,
    signIn,
    linkOf,
    /** Creates an operator, and signs in by link. */
    async operator(name: string, role: 'viewer' | 'admin') {
      return signIn({ link: await linkOf('create', name, '--role', role) });
    },
  };
}
