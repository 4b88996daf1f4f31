import type { DiagnosisReport, InlayClient } from '@inlay/client';
import type { Inspector } from '@inlay/client/inspector';
import type {} from '@inlay/elements';

/** Key in `sessionStorage` for whether the toolbar is open. */
const openKey = 'vesper:failures';

/** State of a Content Security Policy without the platform, which a parameter of the page's URL selects. */
const policyWithoutPlatform = 'policy-without-platform';

/** A chat or client of the page. */
interface Target {
  diagnose(): Promise<DiagnosisReport>;
  reset(): void;
}

let pageClient: Target | null = null;
let inspector: Inspector | null = null;
/** Id of the visitor, if the page's chat is anonymous. */
let visitor: string | null = null;

addEventListener('inlay-ready', ({ detail }) => {
  const { externalUserId } = detail;
  visitor = externalUserId?.startsWith('anon_') ? externalUserId : null;
});

/** Sets the client of a page without elements. */
export function setPageClient(client: InlayClient): void {
  pageClient = client;
}

const findTarget = (): Target | null =>
  document.querySelector('inlay-launcher') ?? document.querySelector('inlay-chat') ?? pageClient;

/** Opens the inspector, which records every chat of the page. Replaces an open inspector. */
export async function openInspector(): Promise<void> {
  const { inspect } = await import('@inlay/client/inspector');
  inspector?.close();
  inspector = inspect();
}

/** Starts the toolbar of the page (see `layout.html`). */
export function startFailures(): void {
  const toolbar = document.querySelector<HTMLDetailsElement>('#failures');
  const output = toolbar?.querySelector('output');
  if (!toolbar || !output) return;
  // Scrollable regions must be reachable with the keyboard.
  output.tabIndex = 0;
  // A reader may have opened it before this script was loaded.
  toolbar.open ||= wasOpen();
  // Not at `toggle`, which is fired later: the page may be left before.
  addEventListener('pagehide', () => rememberOpen(toolbar.open));
  toolbar.addEventListener('change', async ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const { name, value } = target;
    output.textContent = await (name === 'mistake'
      ? makeMistake(value)
      : send(name, { state: value }));
  });
  toolbar.addEventListener('click', async ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    if (target.name === 'inspect') return openInspector();
    if (target.name !== 'diagnose') {
      output.textContent = await send(target.name, visitor ? { visitor } : {});
      return;
    }
    output.textContent = 'Checking …';
    output.textContent = await diagnose();
  });
  // The selects are disabled until the current states are known.
  void currentStates().then((states) => {
    for (const select of toolbar.querySelectorAll('select')) {
      select.value = states[select.name] ?? '';
      select.disabled = false;
    }
  });
}

async function diagnose(): Promise<string> {
  const target = findTarget();
  if (!target) return 'Open the chat first. Until then there is nothing to diagnose.';
  try {
    const { checks, text } = await target.diagnose();
    const problems = checks
      .filter(({ remedy }) => remedy !== null)
      .map(({ id, cause, remedy }) => `${id}: ${cause}\n→ ${remedy}`);
    return `${problems.join('\n') || 'No problems found.'}\n\n${text}`;
  } catch (error) {
    return `The diagnosis failed: ${error}`;
  }
}

const pagePolicy = () => new URLSearchParams(location.search).get('policy');

async function currentStates(): Promise<Record<string, string>> {
  const states = await (await fetch('/failures')).json();
  return pagePolicy() ? { ...states, mistake: policyWithoutPlatform } : states;
}

/** Replaces the mistake in the setup. Reloads the page if its policy changes. */
async function makeMistake(state: string): Promise<string> {
  const isPolicy = state === policyWithoutPlatform;
  const detail = await send('mistake', { state: isPolicy ? 'none' : state });
  // Without a reset, the chat would use its current token, and most mistakes would have no effect for minutes.
  findTarget()?.reset();
  if (isPolicy) location.search = 'policy=without-platform';
  else if (pagePolicy()) location.search = '';
  return detail;
}

/** Sends an action or a state to the host's backend, and returns the result as a sentence. */
async function send(name: string, body: Record<string, string>): Promise<string> {
  try {
    const response = await fetch(`/failures/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { detail }: { detail: string } = await response.json();
    return detail;
  } catch {
    return 'The demo does not respond. Is it still running?';
  }
}

/** Whether the user left the toolbar open on the previous page. By default, it is closed. */
function wasOpen(): boolean {
  try {
    return sessionStorage.getItem(openKey) === 'open';
  } catch {
    // Storage is blocked.
    return false;
  }
}

function rememberOpen(open: boolean): void {
  try {
    sessionStorage.setItem(openKey, open ? 'open' : 'closed');
  } catch {
    // Storage is blocked or full, so the toolbar is closed on the next page.
  }
}
