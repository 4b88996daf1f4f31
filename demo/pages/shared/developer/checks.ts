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
  page: 'Page',
};

/** Renders a list item for each check, with remedy and facts if there is a problem. */
export function renderChecks(list: HTMLElement, { checks }: DiagnosisReport): void {
  list.replaceChildren(...checks.map(renderCheck));
}

/** Summarizes a report in one or two sentences. */
export function summarize({ checks }: DiagnosisReport): string {
  const titlesWith = (outcome: Check['outcome']) =>
    checks.filter((check) => check.outcome === outcome).map(({ id }) => titles[id]);
  const failed = titlesWith('failed');
  const warnings = titlesWith('warning');
  if (failed.length > 0) return `Problem found: ${failed.join(', ')}.`;
  if (warnings.length > 0) return `The chat works. Warnings: ${warnings.join(', ')}.`;
  return 'No problems found.';
}

function renderCheck({ id, outcome, cause, remedy, facts }: Check): HTMLLIElement {
  const title = element('h3', 'title', titles[id]);
  const item = document.createElement('li');
  item.dataset.outcome = outcome;
  item.append(element('span', 'outcome', outcome), title, element('p', 'cause', cause));
  if (!remedy) return item;
  item.append(element('p', 'remedy', remedy));
  const factTexts = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
  if (factTexts.length > 0) item.append(element('p', 'facts', factTexts.join(' · ')));
  return item;
}

function element(tag: string, className: string, text: string): HTMLElement {
  const created = document.createElement(tag);
  created.className = className;
  created.textContent = text;
  return created;
}
