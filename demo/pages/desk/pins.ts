const list = document.querySelector('#pins');

/** Pins the beginning of an answer to the page. */
export function pin(text: string): void {
  const item = document.createElement('li');
  const plainText = text.replaceAll(/[#*`|>[\]]/g, '').trim();
  item.textContent = plainText.length > 120 ? `${plainText.slice(0, 120)}…` : plainText;
  list?.append(item);
}

export function unpinAll(): void {
  list?.replaceChildren();
}
