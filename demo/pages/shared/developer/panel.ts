import type { DiagnosisReport } from '@inlay/client';
import { drawChecks, verdictOf } from './checks.ts';
import { causeFailure, currentFailure, failureGroups } from './failures.ts';
import { startLive } from './live.ts';
import { findTarget } from './target.ts';

export interface DeveloperPanel {
  /** Runs the diagnosis, and scrolls to the panel. */
  show(): void;
}

/** Creates the panel that causes failures and shows the diagnosis. Null if the page has no chat. */
export function startDeveloperPanel(): DeveloperPanel | null {
  const main = document.querySelector('main');
  if (!main || ['/', '/hosted'].includes(location.pathname)) return null;

  let report: DiagnosisReport | null = null;
  const verdict = paragraph('verdict', 'Break something, or not, and diagnose.');
  verdict.setAttribute('role', 'status');
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
      verdict.textContent = 'Open the chat once: until then there is nothing to look at.';
      return;
    }
    diagnose.ariaBusy = 'true';
    verdict.textContent = 'Looking …';
    try {
      report = await target.diagnose();
      drawChecks(list, report);
      verdict.textContent = verdictOf(report);
      copy.disabled = false;
    } catch (error) {
      verdict.textContent = `It could not be diagnosed: ${error instanceof Error ? error.message : error}`;
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
    verdict.textContent = copied
      ? 'The report is copied.'
      : 'The browser did not let it be copied.';
  });
  select.addEventListener('change', async () => {
    list.replaceChildren();
    verdict.textContent = 'One moment …';
    await causeFailure(select.value);
    // The current token would hide most failures for minutes.
    findTarget()?.reset();
    verdict.textContent =
      select.value === 'none' ? 'All is in order again.' : 'It is broken now, for every page.';
  });
  void currentFailure().then((failure) => {
    select.value = failure;
    select.disabled = false;
  });

  const label = document.createElement('label');
  label.append('Break', select);
  const tools = document.createElement('div');
  tools.className = 'tools';
  tools.append(label, diagnose, copy);
  const title = document.createElement('h2');
  title.id = 'developer-title';
  title.tabIndex = -1;
  title.textContent = 'Developer panel';
  const look = document.createElement('div');
  look.className = 'look';
  look.append(tools, verdict, list);
  const section = document.createElement('section');
  section.className = 'developer';
  section.setAttribute('aria-labelledby', title.id);
  section.append(
    title,
    paragraph(
      'hint',
      'What is broken here is broken for real. Two things no page can break: set this machine’s clock wrong for “Clock”, block this site’s data in the browser for “Storage”.',
    ),
    look,
    startLive(),
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
  select.append(new Option('nothing', 'none'));
  for (const { label, choices } of failureGroups) {
    const group = document.createElement('optgroup');
    group.label = label;
    group.append(...choices.map((choice) => new Option(choice.label, choice.name)));
    select.append(group);
  }
  return select;
}

function button(label: string, className: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  made.textContent = label;
  return made;
}

function paragraph(className: string, text: string): HTMLParagraphElement {
  const made = document.createElement('p');
  made.className = className;
  made.textContent = text;
  return made;
}
