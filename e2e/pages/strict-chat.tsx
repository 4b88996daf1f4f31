/** The chat as a React app has it during development: mounted twice, and replaced while it runs. */
import { InlayChat } from '@inlay/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** What `getToken` was asked with: whether there was a token before. */
const asked: ('first' | 'next')[] = [];
Object.assign(window, { asked });

async function getToken(current: string | null) {
  asked.push(current === null ? 'first' : 'next');
  const response = await fetch('/api/chat-token', { method: 'POST' });
  return (await response.json()) as { token: string };
}

/** Mounts the app. Returns what a bundler's hot replacement calls before it mounts the next. */
export function mount(baseUrl: string): () => void {
  const root = createRoot(document.querySelector('#app') ?? document.body);
  root.render(
    <StrictMode>
      <InlayChat
        style={{ display: 'block', height: '600px' }}
        baseUrl={baseUrl}
        getToken={(current) => getToken(current)}
      />
    </StrictMode>,
  );
  return () => root.unmount();
}
