/** Elements of the page. */
const part = <Part extends HTMLElement>(id: string, type: new () => Part): Part => {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`The page has no #${id}.`);
};

export const entryList = part('entries', HTMLOListElement);
export const form = part('form', HTMLFormElement);
export const message = part('message', HTMLTextAreaElement);
export const status = part('status', HTMLParagraphElement);
export const stop = part('stop', HTMLButtonElement);
