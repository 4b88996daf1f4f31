import type { Control } from './controls.ts';

/** Id of the visitor, if the page's chat is anonymous. */
let visitor: string | null = null;

window.addEventListener('inlay-ready', (event) => {
  const endUser: unknown = event instanceof CustomEvent ? event.detail.externalUserId : null;
  visitor = typeof endUser === 'string' && endUser.startsWith('anon_') ? endUser : null;
});

/** Performs the action of a button, and returns its result as a sentence. */
export async function perform({ path, body = {} }: Control): Promise<string> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(visitor ? { ...body, visitor } : body),
    });
    const { detail }: { detail: string } = await response.json();
    return detail;
  } catch {
    return 'The demo does not respond. Is it still running?';
  }
}
