import { Hono } from 'hono';
import { chatToken } from './chat-token.ts';
import { createFailures, type FailuresOptions } from './failures.ts';
import { hostedLink } from './hosted-link.ts';
import { mentions } from './mentions.ts';
import { createPages, type PagesOptions } from './pages.ts';
import { createSignIn } from './sign-in.ts';

export type HostOptions = Omit<FailuresOptions, 'signedInCustomer'> & { pages: PagesOptions };

/**
 * Backend of the host site, the fictional train company Vesper: sign-in, embed tokens, hosted links,
 * and the pages.
 */
export function createHostApp({ pages, ...options }: HostOptions): Hono {
  const { agent, platform } = options;
  const { routes: signIn, signedInCustomer } = createSignIn({
    // Revoking the tokens closes the user's conversations in all tabs immediately.
    onSignOut: ({ id }) => platform.endUsers.revokeTokens(agent, id),
  });
  const failures = createFailures({ ...options, signedInCustomer });
  const app = new Hono();
  app.route('/', signIn);
  app.use('/api/chat-token', failures.tokenEndpoint);
  app.route('/', chatToken({ ...options, signedInCustomer }));
  app.route('/', mentions({ signedInCustomer }));
  app.route('/', hostedLink({ ...options, signedInCustomer }));
  app.route('/failures', failures.routes);
  app.route('/', createPages(pages));
  return app;
}
