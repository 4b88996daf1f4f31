const list = document.querySelector('#pins');

/** Keeps what an answer begins with on this page. */
export function pin(text: string): void {
  const item = document.createElement('li');
  const words = text.replaceAll(/[#*`|>[\]]/g, '').trim();
  item.textContent = words.length > 120 ? `${words.slice(0, 120)}…` : words;
  list?.append(item);
}

export function unpinAll(): void {
  list?.replaceChildren();
}
