import { onAccount, signInAs } from '../account.ts';
import type { DeveloperPanel } from '../developer/panel.ts';
import { type Control, controlGroups } from './controls.ts';
import { startEventLog } from './event-log.ts';
import { startInspector } from './inspector.ts';
import { perform } from './perform.ts';

/** Key in `sessionStorage` for whether the playground is open. */
const openKey = 'vesper:playground';

/** Creates the playground of the page: controls and event log. */
export function startPlayground(developer: DeveloperPanel | null): void {
  const placeholder = document.querySelector('#playground');
  if (!placeholder) return;

  const output = document.createElement('output');
  output.textContent = 'Press a button and watch the chat.';
  const log = document.createElement('div');
  log.className = 'log';
  // Scrollable regions must be reachable with the keyboard.
  log.tabIndex = 0;
  // Not announced, because the widget has its own announcements.
  log.ariaLive = 'off';
  log.setAttribute('role', 'log');
  log.setAttribute('aria-label', 'Widget events');
  const logTitle = document.createElement('h2');
  logTitle.textContent = 'Events, newest first';

  const toggleButtons: { button: HTMLButtonElement; control: Control }[] = [];
  const groups = controlGroups.map(({ legend, controls }) =>
    group(
      legend,
      controls.map((control) => {
        const button = createButton(control.label, async () => {
          output.textContent = await perform(control);
          if (control.state) await showState();
        });
        if (control.state) toggleButtons.push({ button, control });
        return button;
      }),
    ),
  );

  async function showState(): Promise<void> {
    const state: Record<string, unknown> = await (await fetch('/playground')).json();
    for (const { button, control } of toggleButtons) {
      if (!control.state) continue;
      const [name, value] = control.state;
      button.setAttribute('aria-pressed', String(state[name] === value));
    }
  }

  startEventLog(log);
  void showState();

  const body = document.createElement('div');
  body.className = 'controls';
  body.id = 'controls';
  if (developer)
    groups.push(
      group('Developer', [
        createButton('Diagnose', () => developer.show()),
        createButton('Inspect', startInspector),
      ]),
    );
  body.append(accountGroup(output), ...groups, output, logTitle, log);
  const panel = document.createElement('aside');
  panel.className = 'playground';
  panel.setAttribute('aria-label', 'Playground');
  panel.append(createToggle(panel, body), body);
  placeholder.replaceWith(panel);
}

function createToggle(panel: HTMLElement, body: HTMLElement): HTMLButtonElement {
  const button = createButton('Playground', () => {
    const open = panel.dataset.open !== 'true';
    show(open);
    rememberOpen(open);
  });
  button.setAttribute('aria-controls', body.id);
  const show = (open: boolean) => {
    panel.dataset.open = String(open);
    body.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
  };
  show(wasOpen());
  return button;
}

/** Whether the user left the playground open on the previous page. By default, it is collapsed. */
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
    if (open) sessionStorage.setItem(openKey, 'open');
    else sessionStorage.removeItem(openKey);
  } catch {
    // Storage is blocked or full, so the playground is collapsed on the next page.
  }
}

function accountGroup(output: HTMLOutputElement): HTMLFieldSetElement {
  const set = group('Account', []);
  const buttons = new Map<string | null, HTMLButtonElement>();
  const add = (id: string | null, label: string) => {
    const button = createButton(label, async () => {
      await signInAs(id);
      output.textContent = id === null ? 'No one is signed in.' : `${id} is signed in.`;
    });
    buttons.set(id, button);
    set.append(button);
  };
  onAccount(({ customer, customers }) => {
    if (buttons.size === 0) {
      for (const { id, name } of customers) add(id, `Sign in as ${name}`);
      add(null, 'Sign out');
    }
    for (const [id, button] of buttons) {
      button.setAttribute('aria-pressed', String(id === (customer?.id ?? null)));
    }
  });
  return set;
}

function group(legend: string, buttons: HTMLButtonElement[]): HTMLFieldSetElement {
  const set = document.createElement('fieldset');
  const title = document.createElement('legend');
  title.textContent = legend;
  set.append(title, ...buttons);
  return set;
}

function createButton(label: string, press: () => void | Promise<void>): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', () => void press());
  return button;
}
