import type { InlayChat } from '@inlay/elements';
import { type Thing, thingGroups } from './things.ts';

/** Lists the examples, each with a button that runs it. */
export function showThings(place: Element, chat: InlayChat): void {
  place.replaceChildren(
    ...thingGroups.map(({ title, things }) => {
      const heading = document.createElement('h2');
      heading.textContent = title;
      const list = document.createElement('ul');
      list.append(...things.map((thing) => itemOf(thing, chat)));
      const section = document.createElement('section');
      section.append(heading, list);
      return section;
    }),
  );
}

function itemOf({ say, type, see }: Thing, chat: InlayChat): HTMLLIElement {
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
