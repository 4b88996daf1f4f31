/** A button with a name and what is in it. */
export function makeButton(
  className: string,
  label: string,
  content: Node | string,
): HTMLButtonElement {
  const button = document.createElement('button');
  button.className = className;
  button.part = className;
  if (label) button.ariaLabel = label;
  button.append(content);
  return button;
}

export function makeBox(className: string): HTMLElement {
  const box = document.createElement('div');
  box.className = className;
  return box;
}

/** Runs something once the page has a body: an async script in its head can be faster. */
export function whenBody(run: () => void): void {
  if (document.body) run();
  else addEventListener('DOMContentLoaded', run, { once: true });
}

const svg = 'http://www.w3.org/2000/svg';

/** An icon of the elements, by its path. The name of the button around it stands for it. */
export function makeIcon(path: string): SVGElement {
  const icon = document.createElementNS(svg, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', path);
  icon.append(line);
  return icon;
}
