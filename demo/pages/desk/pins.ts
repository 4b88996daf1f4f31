const list = document.querySelector('#pins');

/** Pins the beginning of an answer to the page. */
export function pin(text: string): void {
  const item = document.createElement('li');
  const words = text.replaceAll(/[#*`|>[\]]/g, '').trim();
  item.textContent = words.length > 120 ? `${words.slice(0, 120)}…` : words;
  list?.append(item);
}

export function unpinAll(): void {
  list?.replaceChildren();
}
