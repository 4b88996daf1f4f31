/** Selector of controls and hidden labels, which are not copied. */
const excludedElements = 'button, summary, .code-header, .visually-hidden';

/** Attributes to copy: those with a meaning outside the chat. */
const keptAttributes = new Set(['href', 'src', 'alt', 'start', 'dir', 'colspan', 'rowspan']);

/** Serializes a rendered message to HTML for the clipboard. The chat never parses this HTML. */
export function richText(content: Element): string {
  const copy = content.cloneNode(true) as Element;
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
