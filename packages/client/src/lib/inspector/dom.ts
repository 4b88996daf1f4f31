export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

export function createButton(label: string, press: () => void): HTMLButtonElement {
  const created = createElement('button', { type: 'button' }, label);
  created.addEventListener('click', press);
  return created;
}

/** Creates a button with an icon. `path` is SVG path data in a 16 by 16 view box. */
export function createIconButton(
  label: string,
  path: string,
  press: () => void,
): HTMLButtonElement {
  const created = createButton('', press);
  created.className = 'icon';
  created.title = label;
  created.setAttribute('aria-label', label);
  const namespace = 'http://www.w3.org/2000/svg';
  const icon = document.createElementNS(namespace, 'svg');
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(namespace, 'path');
  line.setAttribute('d', path);
  icon.append(line);
  created.append(icon);
  return created;
}
