import type { InlayChat } from '@inlay/elements';
import { type Example, exampleGroups } from './examples.ts';

/** Lists the examples, each with a button that runs it. */
export function renderExamples(container: Element, chat: InlayChat): void {
  container.replaceChildren(
    ...exampleGroups.map(({ title, examples }) => {
      const heading = document.createElement('h2');
      heading.textContent = title;
      const list = document.createElement('ul');
      list.append(...examples.map((example) => renderExample(example, chat)));
      const section = document.createElement('section');
      section.append(heading, list);
      return section;
    }),
  );
}

function renderExample({ message, instruction, shows }: Example, chat: InlayChat): HTMLLIElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = message ? 'message' : 'instruction';
  button.textContent = message ?? instruction ?? '';
  button.addEventListener('click', () => {
    if (message) void chat.sendMessage(message);
    else chat.focusComposer();
    // In one column, the chat is below the buttons.
    const { top, bottom } = chat.getBoundingClientRect();
    if (top >= innerHeight || bottom <= 0) chat.scrollIntoView();
  });
  const description = document.createElement('p');
  description.textContent = shows;
  const item = document.createElement('li');
  item.append(button, description);
  return item;
}
