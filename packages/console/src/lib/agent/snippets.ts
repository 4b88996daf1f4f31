/** A way to put an agent on a site. */
export interface Snippet {
  readonly title: string;
  readonly hint: string;
  readonly files: readonly { readonly name: string; readonly code: string }[];
}

interface SnippetTarget {
  /** Short id of the agent. */
  readonly agent: string;
  /** Address of the platform. */
  readonly baseUrl: string;
  /** Publishable key; null for users who are signed in. */
  readonly key: string | null;
}

/** Returns the code of each way to put an agent on a site. */
export function snippetsOf(target: SnippetTarget): readonly Snippet[] {
  const { agent, baseUrl, key } = target;
  const attribute = key === null ? 'token-url="/api/chat-token"' : `publishable-key="${key}"`;
  const prop = key === null ? 'tokenUrl="/api/chat-token"' : `publishableKey="${key}"`;
  const tokenEndpoint: Snippet = {
    title: 'Token endpoint',
    hint: 'Your backend says who is signed in. A script tag, npm and React need it, as POST /api/chat-token.',
    files: [
      { name: 'Terminal', code: 'npm install @inlay/node' },
      { name: 'Backend', code: codeOfEndpoint(target) },
    ],
  };
  return [
    ...(key === null ? [tokenEndpoint] : []),
    {
      title: 'Script tag',
      hint: 'A button in the corner of the page, which opens the chat.',
      files: [
        {
          name: 'Page',
          code: `<script
  async
  src="${baseUrl}/inlay.js"
  data-agent="${agent}"
  data-${attribute}
></script>`,
        },
      ],
    },
    {
      title: 'npm',
      hint: 'The chat as a part of the page, in any framework.',
      files: [
        {
          name: 'Terminal',
          code: `npm install @inlay/elements`,
        },
        {
          name: 'Script',
          code: `import { allowOrigins } from '@inlay/elements/define-chat';\n\nallowOrigins('${baseUrl}');`,
        },
        {
          name: 'Page',
          code: `<inlay-chat\n  base-url="${baseUrl}"\n  ${attribute}\n  style="display: block; height: 32rem"\n></inlay-chat>`,
        },
      ],
    },
    {
      title: 'React',
      hint: 'The chat as a component.',
      files: [
        {
          name: 'Terminal',
          code: `npm install @inlay/react @inlay/elements`,
        },
        {
          name: 'Component',
          code: `import { InlayChat } from '@inlay/react';

export function Support() {
  return (
    <InlayChat
      baseUrl="${baseUrl}"
      ${prop}
      style={{ display: 'block', height: '32rem' }}
    />
  );
}`,
        },
      ],
    },
    {
      title: 'Hosted link',
      hint: 'A page of the platform for users whom your backend knows. Each link works once, within a minute.',
      files: [
        { name: 'Terminal', code: 'npm install @inlay/node' },
        { name: 'Backend', code: codeOfLink(target) },
      ],
    },
  ];
}

const client = (baseUrl: string) => `const platform = createPlatformClient({
  baseUrl: '${baseUrl}',
  apiKey: process.env.INLAY_API_KEY,
});`;

const codeOfEndpoint = ({ agent, baseUrl }: SnippetTarget) =>
  `import { createPlatformClient, createTokenEndpoint } from '@inlay/node';

${client(baseUrl)}

// From Request to Response. yourSession stands for your sign-in.
export const POST = createTokenEndpoint({
  platform,
  agent: '${agent}',
  identify: async (request) => {
    const user = await yourSession(request);
    return user && { external_user_id: user.id };
  },
});`;

const codeOfLink = ({ agent, baseUrl }: SnippetTarget) =>
  `import { createPlatformClient } from '@inlay/node';

${client(baseUrl)}

// yourSession stands for your sign-in.
export async function GET(request) {
  const user = await yourSession(request);
  if (!user) return new Response('Sign in first.', { status: 401 });
  const { hosted_url } = await platform.embedTokens.issue({
    agent: '${agent}',
    external_user_id: user.id,
    hosted: true,
  });
  return new Response(null, {
    status: 303,
    headers: {
      location: hosted_url,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  });
}`;
