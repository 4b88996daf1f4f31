/** Creates a button. `className` is also the part name; `label`, unless empty, is the accessible name. */
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

/** Calls a function when the page has a body. An async script in the head may run before that. */
export function whenBody(run: () => void): void {
  if (document.body) run();
  else addEventListener('DOMContentLoaded', run);
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Creates an icon in the elements' style from path data. The button around it has the label. */
export function makeIcon(path: string): SVGElement {
  const icon = document.createElementNS(svgNamespace, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  const line = document.createElementNS(svgNamespace, 'path');
  line.setAttribute('d', path);
  icon.append(line);
  return icon;
}
