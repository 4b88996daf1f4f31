/** What an option can be called besides the attributes of the launcher. */
const others = ['accent', 'dismiss', 'failed', 'getToken', 'label'];

const noted = new Set<string>();

/** Tells the owner of the page, once for each, that something they set is no option, and what is. */
export function noteUnknown(name: string, attributes: Iterable<string>): void {
  if (noted.has(name)) return;
  noted.add(name);
  const names = [...attributes].map((attribute) =>
    attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  const options = [...names, ...others].sort().join(', ');
  console.warn(
    `inlay: there is no option “${name}”, so it changes nothing. ` +
      `Properties that take more than text are set on the element: (await inlay.launcher()).${name} = …. ` +
      `The options are ${options}.`,
  );
}
