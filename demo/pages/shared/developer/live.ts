const most = 40;

/** Shows the auth state and the diagnostics of the client live. */
export function startLive(): HTMLElement {
  const access = document.createElement('dd');
  access.textContent = 'not asked yet';
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
  // Only the verdict is announced, because announcing every retry would be noise.
  log.ariaLive = 'off';
  log.setAttribute('role', 'log');
  log.setAttribute('aria-label', 'Diagnostics');

  window.addEventListener('inlay-ready', () => {
    access.textContent = 'ok';
  });
  window.addEventListener('inlay-auth-change', (event) => {
    if (event instanceof CustomEvent) access.textContent = String(event.detail.status);
  });
  window.addEventListener('inlay-diagnostic', (event) => {
    if (!(event instanceof CustomEvent)) return;
    log.append(entry(event.detail));
    if (log.childElementCount > most) log.firstElementChild?.remove();
  });

  const facts = document.createElement('dl');
  facts.append(row('Access', access), row('Network', network));
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
  const told = Object.entries(details).map(([name, value]) => `${name}: ${shown(value)}`);
  item.textContent = `${new Date().toLocaleTimeString()} ${type} ${told.join(', ')}`;
  return item;
}

/** Rounds delays. */
function shown(value: unknown): string {
  return String(typeof value === 'number' ? Math.round(value) : value);
}

function row(name: string, value: HTMLElement): HTMLElement {
  const title = document.createElement('dt');
  title.textContent = name;
  const group = document.createElement('div');
  group.append(title, value);
  return group;
}
