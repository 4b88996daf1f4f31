import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const app = 'demo/apps/next';
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${app}/${path}`, 'utf8');

/** Item for `npx shadcn add`: the chat and its token endpoint, from the example application of the quick start. */
export const registryItem = {
  $schema: 'https://ui.shadcn.com/schema/registry-item.json',
  name: 'inlay-chat',
  type: 'registry:block',
  title: 'Inlay chat',
  description: 'An AI agent as your signed-in user, with its token endpoint for Next.js.',
  dependencies: ['@inlay/react', '@inlay/elements', '@inlay/node'],
  envVars: { INLAY_URL: 'http://localhost:8787', INLAY_API_KEY: '' },
  docs: 'Put the API key of your platform into INLAY_API_KEY, and replace yourSession in app/api/chat-token/route.ts.',
  files: [
    {
      path: 'support.tsx',
      type: 'registry:component',
      target: 'components/support.tsx',
      content: read('app/support.tsx'),
    },
    {
      path: 'route.ts',
      type: 'registry:page',
      target: 'app/api/chat-token/route.ts',
      content: read('app/api/chat-token/route.ts'),
    },
  ],
};
