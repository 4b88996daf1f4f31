import type { CardEntry, Entry } from '@inlay/client';

/** An action on an entry: label and handler of its button. */
export interface EntryAction {
  label: string;
  run: () => void;
}

/** Renders an entry into its list item. Called again when the entry changes. */
export function renderEntry(
  item: HTMLLIElement,
  entry: Entry,
  actions: readonly EntryAction[],
): void {
  const text = document.createElement('p');
  text.textContent = textOf(entry);
  const buttons = actions.map(({ label, run }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button quiet';
    button.textContent = label;
    button.addEventListener('click', run);
    return button;
  });
  item.className = `entry ${entry.kind}`;
  item.replaceChildren(text, ...buttons);
}

function textOf(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
      return entry.delivery === 'sent' ? entry.text : `${entry.text} (${entry.delivery})`;
    case 'agent':
      return entry.text || '…';
    case 'thinking':
      return entry.progress === 'streaming' ? 'Thinking …' : 'Thought about it.';
    case 'card':
      return entry.answer ? `${titleOf(entry)} (answered)` : titleOf(entry);
    case 'tool':
      return `${entry.name}: ${entry.progress}`;
    case 'notice':
      return 'Answer interrupted.';
  }
}

function titleOf({ card }: CardEntry): string {
  return card.title ?? 'A card';
}
