import { nearestName } from '@inlay/elements';

/** What an option can be called besides the attributes of the launcher. */
const others = ['accent', 'dismiss', 'failed', 'getToken', 'label'];

const noted = new Set<string>();

/**
 * Reports in the console, once for each, that something the page has set is no option, and what is.
 *
 * @param isForeign - Whether it may belong to another library, as an attribute of the script tag can:
 *   it is then reported only where it is close to the name of an option.
 */
export function noteUnknown(name: string, attributes: Iterable<string>, isForeign: boolean): void {
  if (noted.has(name)) return;
  const names = [...attributes].map((attribute) =>
    attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  const options = [...names, ...others].sort();
  const nearest = nearestName(name, options);
  if (isForeign && nearest === null) return;
  noted.add(name);
  console.warn(
    `inlay: there is no option “${name}”, so it changes nothing. ${nearest ? `Did you mean “${nearest}”? ` : ''}` +
      `Properties that take more than text are set on the element: (await inlay.launcher()).${name} = …. ` +
      `The options are ${options.join(', ')}.`,
  );
}
