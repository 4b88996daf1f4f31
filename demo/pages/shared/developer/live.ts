const maxEntries = 40;

/** Creates an element that shows the auth state and the diagnostics of the client live. */
export function createLiveStatus(): HTMLElement {
  const authStatus = document.createElement('dd');
  authStatus.textContent = 'unknown';
  const network = document.createElement('dd');
  const showNetwork = () => {
    network.textContent = navigator.onLine ? 'online' : 'offline';
  };
  showNetwork();
  for (const type of ['online', 'offline']) window.addEventListener(type, showNetwork);

  const log = document.createElement('div');
  log.className = 'live-log';
  // Scrollable regions must be reachable with the keyboard.
  log.tabIndex = 0;
  // Diagnostics are not announced, because a failure can cause many retries. The result of the diagnosis is.
  log.ariaLive = 'off';
  log.setAttribute('role', 'log');
  log.setAttribute('aria-label', 'Diagnostics');

  window.addEventListener('inlay-ready', () => {
    authStatus.textContent = 'ok';
  });
  window.addEventListener('inlay-auth-change', (event) => {
    if (event instanceof CustomEvent) authStatus.textContent = String(event.detail.status);
  });
  window.addEventListener('inlay-diagnostic', (event) => {
    if (!(event instanceof CustomEvent)) return;
    log.append(entry(event.detail));
    if (log.childElementCount > maxEntries) log.firstElementChild?.remove();
  });

  const facts = document.createElement('dl');
  facts.append(row('Access', authStatus), row('Network', network));
  const title = document.createElement('h3');
  title.className = 'live-title';
  title.textContent = 'Diagnostics, newest first';
  const live = document.createElement('div');
  live.className = 'live';
  live.append(facts, title, log);
  return live;
}

function entry({ type, ...details }: Record<string, unknown>): HTMLElement {
  const item = document.createElement('p');
  const fields = Object.entries(details).map(([name, value]) => `${name}: ${format(value)}`);
  item.textContent = `${new Date().toLocaleTimeString()} ${type} ${fields.join(', ')}`;
  return item;
}

/** Formats a field of a diagnostic. Numbers are durations in milliseconds, and rounded. */
function format(value: unknown): string {
  return String(typeof value === 'number' ? Math.round(value) : value);
}

function row(name: string, value: HTMLElement): HTMLElement {
  const title = document.createElement('dt');
  title.textContent = name;
  const group = document.createElement('div');
  group.append(title, value);
  return group;
}
