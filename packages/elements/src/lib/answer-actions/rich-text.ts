/** What stands in a rendered answer for those who use it, and not for those who get a copy of it. */
const ours = 'button, summary, .code-header, .visually-hidden';

/** Attributes that mean something outside of our own style sheets. */
const kept = new Set(['href', 'src', 'alt', 'start', 'dir', 'colspan', 'rowspan']);

/** A rendered answer as HTML for the clipboard. It is only ever written, never parsed by us. */
export function richText(content: Element): string {
  const copy = content.cloneNode(true) as Element;
  for (const element of copy.querySelectorAll(ours)) element.remove();
  for (const element of copy.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      if (!kept.has(name)) element.removeAttribute(name);
    }
  }
  const serializer = new XMLSerializer();
  return [...copy.childNodes]
    .map((node) => serializer.serializeToString(node))
    .join('')
    .replaceAll(' xmlns="http://www.w3.org/1999/xhtml"', '');
}
