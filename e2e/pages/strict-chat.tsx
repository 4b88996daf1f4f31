/** A React app in development: mounted twice by StrictMode, and replaced like a hot module. */
import { InlayChat } from '@inlay/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** Calls of `getToken`: `first` without a current token, `next` with one. */
const asked: ('first' | 'next')[] = [];
Object.assign(window, { asked });

async function getToken(current: string | null) {
  asked.push(current === null ? 'first' : 'next');
  const response = await fetch('/api/chat-token', { method: 'POST' });
  return (await response.json()) as { token: string };
}

/** Mounts the app. Returns the function that unmounts it, as hot module replacement does. */
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
