import type { Lane } from './describe.ts';
import { createButton, createElement, createIconButton } from './dom.ts';
import { styles } from './panel.styles.ts';
import { createStrip } from './strip.ts';
import type { Timeline, TimelineEntry } from './timeline.ts';

/** Callbacks and state that the inspector provides to the panel. */
export interface PanelActions {
  readonly isDocked: boolean;
  readonly isPaused: () => boolean;
  readonly onPause: () => void;
  readonly onClear: () => void;
  readonly onClose: () => void;
  /** The JSON that “Copy” copies. */
  readonly text: () => string;
}

const filters: readonly (readonly [Lane | 'all', string])[] = [
  ['all', 'All'],
  ['token', 'Token'],
  ['stream', 'Stream'],
  ['requests', 'Requests'],
];

/** Delay of a rendering after new activity, in milliseconds, so that a burst is rendered once. */
const renderInterval = 100;

/** Distance from the end in pixels within which the table follows new entries. */
const followDistance = 24;

/** Creates the panel, in a shadow root. It is in English, whatever the language of the page is. */
export function createPanel(timeline: Timeline, actions: PanelActions) {
  const host = createElement('div', { lang: 'en', dir: 'ltr', role: 'region' });
  host.setAttribute('aria-label', 'Inlay inspector');
  host.toggleAttribute('data-docked', actions.isDocked);
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];

  let filter: Lane | 'all' = 'all';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rows = new WeakMap<TimelineEntry, HTMLElement>();

  const pause = createButton('Pause', actions.onPause);
  const status = createElement('output');
  const filterButtons = filters.map(([name, label]) => {
    const count = createElement('span', { class: 'count' });
    const button = createButton(`${label} `, () => {
      filter = name;
      render(true);
    });
    button.append(count);
    return { name, button, count };
  });
  const head = createElement(
    'div',
    { class: 'head', role: 'row' },
    createElement('span', { role: 'columnheader', class: 'time' }, 'Time'),
    createElement('span', { role: 'columnheader', class: 'kind' }, 'Part'),
    createElement('span', { role: 'columnheader', class: 'title' }, 'What happened'),
    createElement('span', { role: 'columnheader', class: 'detail' }, 'Details'),
  );
  const body = createElement('div', { role: 'rowgroup' });
  const table = createElement('div', { role: 'table', 'aria-label': 'Timeline, newest last' });
  table.append(createElement('div', { role: 'rowgroup' }, head), body);
  const empty = createElement('p', { class: 'empty' });
  // Scrollable regions must be reachable with the keyboard. Entries are not announced.
  const scroller = createElement('div', { class: 'scroller', tabindex: '0', 'aria-live': 'off' });
  scroller.setAttribute('role', 'group');
  scroller.setAttribute('aria-label', 'Timeline');
  scroller.append(table, empty);
  const note = createElement('div', { class: 'note' });
  const strip = createStrip();

  // `aria-expanded` contains the state, so the name stays the same.
  const collapse = createIconButton('Timeline', 'M3 6l5 5 5-5', () => {
    const isCollapsed = panel.toggleAttribute('data-collapsed');
    collapse.setAttribute('aria-expanded', String(!isCollapsed));
    collapse.title = isCollapsed ? 'Expand' : 'Collapse';
    render(true);
  });
  collapse.setAttribute('aria-expanded', 'true');
  collapse.title = 'Collapse';
  const copyButton = createButton('Copy', () => void copy());
  copyButton.append(createElement('span', { class: 'long' }, ' JSON'));
  copyButton.setAttribute('aria-label', 'Copy JSON');
  const header = createElement(
    'div',
    { class: 'header' },
    createElement('h2', {}, 'Inspector', createElement('small', {}, 'no tokens, no message texts')),
    pause,
    createButton('Clear', actions.onClear),
    copyButton,
    ...(actions.isDocked ? [collapse] : []),
    createIconButton('Close', 'M4 4l8 8M12 4l-8 8', actions.onClose),
  );
  const filterBar = createElement('div', { class: 'filters', role: 'group', 'aria-label': 'Show' });
  filterBar.append(...filterButtons.map((each) => each.button), status);
  const panel = createElement('div', { class: 'panel' });
  panel.append(header, filterBar, strip.element, scroller, note);
  root.append(panel);

  async function copy(): Promise<void> {
    const copied = await Promise.resolve(navigator.clipboard?.writeText(actions.text())).then(
      () => navigator.clipboard !== undefined,
      () => false,
    );
    status.textContent = copied ? 'Copied' : 'The browser refused to copy';
  }

  function render(isFiltered = false): void {
    const { entries, limit, removed } = timeline;
    const isAtEnd =
      scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < followDistance;
    const shown = entries.filter(({ lane }) => filter === 'all' || lane === filter);
    const start = entries[0]?.time ?? 0;
    const hasClients = entries.some(({ client }) => client > 1);
    const rowsToShow = shown.map((entry) => {
      const row = rows.get(entry) ?? createRow(entry, hasClients);
      rows.set(entry, row);
      const time = row.firstElementChild;
      if (time) time.textContent = `+${((entry.time - start) / 1000).toFixed(2)} s`;
      return row;
    });
    const keep = new Set(rowsToShow);
    for (const row of [...body.children]) if (!keep.has(row as HTMLElement)) row.remove();
    rowsToShow.forEach((row, index) => {
      const current = body.children[index] ?? null;
      if (current !== row) body.insertBefore(row, current);
    });
    for (const each of filterButtons) {
      each.button.setAttribute('aria-pressed', String(each.name === filter));
      const count = entries.filter(({ lane }) => each.name === 'all' || lane === each.name).length;
      each.count.textContent = String(count);
    }
    const isPaused = actions.isPaused();
    pause.textContent = isPaused ? 'Resume' : 'Pause';
    table.hidden = rowsToShow.length === 0;
    empty.hidden = rowsToShow.length > 0;
    empty.textContent = isPaused
      ? 'Paused. New activity is not recorded.'
      : 'Waiting for activity of the chat. Send a message, or reload the chat.';
    const removedText = removed > 0 ? `; ${removed} older entries were removed` : '';
    note.textContent = `${isPaused ? 'Paused. ' : ''}Keeps the last ${limit} entries${removedText}.`;
    strip.update(entries);
    if (isAtEnd || isFiltered) scroller.scrollTop = scroller.scrollHeight;
  }

  render();
  return {
    element: host,
    /** Schedules a rendering, unless one is scheduled already. */
    update(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        render();
      }, renderInterval);
    },
    close(): void {
      clearTimeout(timer);
      host.remove();
    },
  };
}

const laneNames: Readonly<Record<Lane, string>> = {
  token: 'Token',
  stream: 'Stream',
  requests: 'Request',
};

function createRow(
  { lane, tone, title, detail, client, time }: TimelineEntry,
  hasClients: boolean,
) {
  const cell = (name: string, text: string) =>
    createElement('span', { role: 'cell', class: name }, text);
  const row = createElement('div', { role: 'row', 'data-tone': tone, 'data-lane': lane });
  row.title = new Date(time).toISOString();
  row.append(
    cell('time', ''),
    cell('lane', laneNames[lane]),
    cell('title', title),
    cell('detail', hasClients ? `Chat ${client} · ${detail}` : detail),
  );
  return row;
}
