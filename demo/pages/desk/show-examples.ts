import type { InlayChat } from '@inlay/elements';
import { type Example, exampleGroups } from './examples.ts';

/** Lists the examples, each with a button that runs it. */
export function showExamples(place: Element, chat: InlayChat): void {
  place.replaceChildren(
    ...exampleGroups.map(({ title, examples }) => {
      const heading = document.createElement('h2');
      heading.textContent = title;
      const list = document.createElement('ul');
      list.append(...examples.map((example) => itemOf(example, chat)));
      const section = document.createElement('section');
      section.append(heading, list);
      return section;
    }),
  );
}

function itemOf({ say, type, see }: Example, chat: InlayChat): HTMLLIElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = say ? 'say' : 'type';
  button.textContent = say ?? type ?? '';
  button.addEventListener('click', () => {
    if (say) void chat.sendMessage(say);
    else chat.focusComposer();
  });
  const what = document.createElement('p');
  what.textContent = see;
  const item = document.createElement('li');
  item.append(button, what);
  return item;
}
