import type { Check, DiagnosisReport } from '@inlay/client';

const titles: Record<Check['id'], string> = {
  platform: 'Platform',
  token: 'Token',
  clock: 'Clock',
  origin: 'Origin',
  cors: 'CORS',
  csp: 'CSP',
  streaming: 'Streaming',
  storage: 'Storage',
  connections: 'Connections',
};

/** Renders the checks: one line each, with more details for problems. */
export function drawChecks(list: HTMLElement, { checks }: DiagnosisReport): void {
  list.replaceChildren(...checks.map(drawCheck));
}

/** Summarizes a report in a sentence. */
export function verdictOf({ checks }: DiagnosisReport): string {
  const named = (outcome: Check['outcome']) =>
    checks.filter((check) => check.outcome === outcome).map(({ id }) => titles[id]);
  const failed = named('failed');
  const warnings = named('warning');
  if (failed.length > 0) return `Found it. Look at: ${failed.join(', ')}.`;
  if (warnings.length > 0) return `The chat works. Worth a look: ${warnings.join(', ')}.`;
  return 'All is in order.';
}

function drawCheck({ id, outcome, cause, remedy, facts }: Check): HTMLLIElement {
  const title = element('h3', 'title', titles[id]);
  const item = document.createElement('li');
  item.dataset.outcome = outcome;
  item.append(element('span', 'outcome', outcome), title, element('p', 'cause', cause));
  if (!remedy) return item;
  item.append(element('p', 'remedy', remedy));
  const measured = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
  if (measured.length > 0) item.append(element('p', 'facts', measured.join(' · ')));
  return item;
}

function element(tag: string, className: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
