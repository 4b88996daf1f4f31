/** Finds an element of the page by its id. */
const element = <Type extends HTMLElement>(id: string, type: new () => Type): Type => {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no #${id}.`);
};

export const entryList = element('entries', HTMLOListElement);
export const form = element('form', HTMLFormElement);
export const message = element('message', HTMLTextAreaElement);
export const status = element('status', HTMLParagraphElement);
export const stop = element('stop', HTMLButtonElement);
