export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function createButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = createElement('button', { type: 'button' }, label);
  button.addEventListener('click', onClick);
  return button;
}

/** Creates a button with an icon. `path` is SVG path data in a 16 by 16 view box. */
export function createIconButton(
  label: string,
  path: string,
  onClick: () => void,
): HTMLButtonElement {
  const button = createButton('', onClick);
  button.className = 'icon';
  button.title = label;
  button.setAttribute('aria-label', label);
  const namespace = 'http://www.w3.org/2000/svg';
  const icon = document.createElementNS(namespace, 'svg');
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(namespace, 'path');
  line.setAttribute('d', path);
  icon.append(line);
  button.append(icon);
  return button;
}
