/** Selector of controls and hidden labels, which are not copied. */
const excludedElements = 'button, .cite, .code-header, .visually-hidden';

/** Attributes to copy: those with a meaning outside the chat. */
const keptAttributes = new Set([
  ...['href', 'src', 'alt', 'start', 'dir', 'colspan', 'rowspan', 'align', 'open'],
]);

/** Serializes a rendered message to HTML for the clipboard. The chat never parses this HTML. */
export function richText(content: Element): string {
  const copy = content.cloneNode(true) as Element;
  replaceControls(copy);
  for (const element of copy.querySelectorAll(excludedElements)) element.remove();
  for (const element of copy.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      if (!keptAttributes.has(name)) element.removeAttribute(name);
    }
  }
  const serializer = new XMLSerializer();
  return [...copy.childNodes]
    .map((node) => serializer.serializeToString(node))
    .join('')
    .replaceAll(' xmlns="http://www.w3.org/1999/xhtml"', '');
}

/**
 * Replaces controls and classes that have a meaning: text editors show a checkbox as a text field, and
 * do not expand `<details>`.
 */
function replaceControls(content: Element): void {
  for (const box of content.querySelectorAll<HTMLInputElement>('.task > input')) {
    const text = box.parentElement?.querySelector('p') ?? box.nextElementSibling;
    text?.prepend(box.checked ? '☑ ' : '☐ ');
    box.remove();
  }
  for (const mark of content.querySelectorAll('sup > [data-label]')) {
    mark.replaceWith(mark.textContent ?? '');
  }
  for (const zoom of content.querySelectorAll('.zoom')) zoom.replaceWith(...zoom.childNodes);
  for (const details of content.querySelectorAll('details')) details.open = true;
  for (const align of ['center', 'right'] as const) {
    for (const cell of content.querySelectorAll(`:is(td, th).${align}`)) {
      cell.setAttribute('align', align);
    }
  }
}
