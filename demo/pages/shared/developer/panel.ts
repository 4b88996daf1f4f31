import type { DiagnosisReport } from '@inlay/client';
import { renderChecks, summarize } from './checks.ts';
import { causeFailure, currentFailure, failureGroups } from './failures.ts';
import { createLiveStatus } from './live.ts';
import { findTarget } from './target.ts';

export interface DeveloperPanel {
  /** Runs the diagnosis, and scrolls to the panel. */
  show(): void;
}

/** Creates the panel that simulates failures and shows the diagnosis. Null if the page has no chat. */
export function startDeveloperPanel(): DeveloperPanel | null {
  const main = document.querySelector('main');
  if (!main || ['/', '/hosted', '/configure'].includes(location.pathname)) return null;

  let report: DiagnosisReport | null = null;
  const result = paragraph('result', 'Simulate a failure, then diagnose it.');
  result.setAttribute('role', 'status');
  const list = document.createElement('ol');
  list.className = 'checks';
  list.setAttribute('aria-label', 'Checks');
  const diagnose = button('Diagnose', 'primary');
  const copy = button('Copy report', '');
  copy.disabled = true;
  const select = failureSelect();

  async function run(): Promise<void> {
    if (diagnose.ariaBusy === 'true') return;
    const target = findTarget();
    if (!target) {
      result.textContent = 'Open the chat first. Until then there is nothing to diagnose.';
      return;
    }
    diagnose.ariaBusy = 'true';
    result.textContent = 'Checking …';
    try {
      report = await target.diagnose();
      renderChecks(list, report);
      result.textContent = summarize(report);
      copy.disabled = false;
    } catch (error) {
      result.textContent = `The diagnosis failed: ${error instanceof Error ? error.message : error}`;
    } finally {
      diagnose.ariaBusy = null;
    }
  }

  diagnose.addEventListener('click', () => void run());
  copy.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(report?.text ?? '').then(
      () => true,
      () => false,
    );
    result.textContent = copied ? 'Report copied.' : 'The browser blocked copying.';
  });
  select.addEventListener('change', async () => {
    list.replaceChildren();
    result.textContent = 'Applying …';
    await causeFailure(select.value);
    // Without a reset, the chat would use its current token, and most failures would have no effect for minutes.
    findTarget()?.reset();
    result.textContent =
      select.value === 'none' ? 'No failure is active.' : 'The failure is active on all pages.';
  });
  void currentFailure().then((failure) => {
    select.value = failure;
    select.disabled = false;
  });

  const label = document.createElement('label');
  label.append('Failure', select);
  const tools = document.createElement('div');
  tools.className = 'tools';
  tools.append(label, diagnose, copy);
  const title = document.createElement('h2');
  title.id = 'developer-title';
  title.tabIndex = -1;
  title.textContent = 'Developer panel';
  const diagnosis = document.createElement('div');
  diagnosis.className = 'diagnosis';
  diagnosis.append(tools, result, list);
  const section = document.createElement('section');
  section.className = 'developer';
  section.setAttribute('aria-labelledby', title.id);
  section.append(
    title,
    paragraph(
      'hint',
      'Failures are real, not mocked. Two have to be caused by hand: set a wrong system clock for “Clock”, and block this site’s data in the browser for “Storage”.',
    ),
    diagnosis,
    createLiveStatus(),
  );
  main.append(section);
  return {
    show: () => {
      title.focus({ preventScroll: true });
      section.scrollIntoView();
      void run();
    },
  };
}

function failureSelect(): HTMLSelectElement {
  const select = document.createElement('select');
  // Disabled until the current failure is known.
  select.disabled = true;
  select.append(new Option('none', 'none'));
  for (const { label, options } of failureGroups) {
    const group = document.createElement('optgroup');
    group.label = label;
    group.append(...options.map((option) => new Option(option.label, option.name)));
    select.append(group);
  }
  return select;
}

function button(label: string, className: string): HTMLButtonElement {
  const created = document.createElement('button');
  created.type = 'button';
  created.className = className;
  created.textContent = label;
  return created;
}

function paragraph(className: string, text: string): HTMLParagraphElement {
  const created = document.createElement('p');
  created.className = className;
  created.textContent = text;
  return created;
}
