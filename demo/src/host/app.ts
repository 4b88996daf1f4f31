import { createTokenEndpoint, PlatformError } from '@inlay/node';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { createPages, type PagesOptions } from './pages.ts';
import type { Person } from './people.ts';
import { createPlayground, type PlaygroundOptions } from './playground.ts';
import { sameOrigin } from './same-origin.ts';
import { createSignIn } from './sign-in.ts';

export type HostOptions = Omit<PlaygroundOptions, 'whoIs'> & { pages: PagesOptions };

/** Vesper's backend: who is signed in, a token for them, a hosted link for them, and the pages. */
export function createHostApp(options: HostOptions): Hono {
  const { agent, platform } = options;
  const signIn = createSignIn();
  const app = new Hono();

  app.route('/', signIn.routes);

  app.all('/api/chat-token', (c) =>
    createTokenEndpoint({ platform, agent, identify: () => identityOf(signIn.whoIs(c)) })(
      c.req.raw,
    ),
  );

  app.get('/hosted-link', sameOrigin, async (c) => {
    const identity = identityOf(signIn.whoIs(c));
    if (!identity) return c.redirect('/hosted?problem=signed-out', 303);
    try {
      const issued = await platform.embedTokens.issue({ ...identity, agent, hosted: true });
      if (!issued.hosted_url) throw new Error('the platform gave no hosted_url');
      return toHostedPage(c, issued.hosted_url);
    } catch (error) {
      const blocked = error instanceof PlatformError && error.code === 'EMBED_USER_BLOCKED';
      if (!blocked) console.error(error);
      return c.redirect(`/hosted?problem=${blocked ? 'blocked' : 'unavailable'}`, 303);
    }
  });

  app.route('/playground', createPlayground({ ...options, whoIs: signIn.whoIs }));
  app.route('/', createPages(options.pages));
  return app;
}

/** What the platform is told of a person: who they are, and what the agent should know. */
function identityOf(person: Person | null) {
  if (!person) return null;
  return {
    external_user_id: person.id,
    system_message: [{ type: 'text' as const, text: person.context }],
    metadata: { role: person.role },
  };
}

/** The link works once and holds a code: it must be kept nowhere and told to nobody. */
function toHostedPage(c: Context, url: string): Response {
  c.header('cache-control', 'no-store');
  c.header('referrer-policy', 'no-referrer');
  return c.redirect(url, 303);
}
