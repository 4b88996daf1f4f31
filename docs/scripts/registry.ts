import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}demo/apps/${path}`, 'utf8');

const common = {
  $schema: 'https://ui.shadcn.com/schema/registry-item.json',
  type: 'registry:block',
  envVars: { INLAY_URL: 'http://localhost:8787', INLAY_API_KEY: '' },
} as const;

/** Items for `npx shadcn add`: the chat and its token endpoint, from the example applications of the quick starts. */
export const registryItems = [
  {
    ...common,
    name: 'inlay-chat',
    title: 'Inlay chat',
    description: 'An AI agent as your signed-in user, with its token endpoint for Next.js.',
    dependencies: ['@inlay/react', '@inlay/elements', '@inlay/node'],
    docs: 'Put the API key of your platform into INLAY_API_KEY, render <Support baseUrl="http://localhost:8787" /> in a page, and replace yourSession in app/api/chat-token/route.ts.',
    files: [
      {
        path: 'support.tsx',
        type: 'registry:component',
        target: 'components/support.tsx',
        content: read('next/app/support.tsx'),
      },
      {
        path: 'route.ts',
        type: 'registry:page',
        target: 'app/api/chat-token/route.ts',
        content: read('next/app/api/chat-token/route.ts'),
      },
    ],
  },
  {
    ...common,
    name: 'inlay-chat-vite',
    title: 'Inlay chat for Vite',
    description: 'An AI agent as your signed-in user, with a backend for its token endpoint.',
    dependencies: [
      '@inlay/react',
      '@inlay/elements',
      '@inlay/node',
      '@hono/node-server',
      'fastify',
      '@fastify/static',
      'tsx',
    ],
    docs: "Put the API key of your platform into INLAY_API_KEY in .env.local, render <Support /> in a page, add server: { proxy: { '/api': 'http://localhost:3000' } } to vite.config.ts, start `node --env-file=.env.local --import tsx server.ts` beside Vite, and replace yourSession in server.ts.",
    files: [
      {
        path: 'support.tsx',
        type: 'registry:component',
        target: 'components/support.tsx',
        content: read('vite-react/src/support.tsx'),
      },
      {
        path: 'server.ts',
        type: 'registry:file',
        target: '~/server.ts',
        content: read('vite-react/server.ts'),
      },
    ],
  },
];
