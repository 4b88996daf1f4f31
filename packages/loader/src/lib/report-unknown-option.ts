import { nearestName } from '@inlay/elements';

/** Options that are not attributes of the launcher. */
const loaderOptions = ['accent', 'dismiss', 'failed', 'getChallenge', 'getToken', 'label'];

const reportedNames = new Set<string>();

/**
 * Reports an unknown option in the console, once for each name, with the list of known options.
 *
 * @param name - Name of the option, in camel case.
 * @param attributes - Attributes of the launcher.
 * @param isForeign - Whether the option may belong to another library, because it is an attribute of the
 *   script tag. Such an option is reported only if its name resembles a known option.
 */
export function reportUnknownOption(
  name: string,
  attributes: Iterable<string>,
  isForeign: boolean,
): void {
  if (reportedNames.has(name)) return;
  const names = [...attributes].map((attribute) =>
    attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  const options = [...names, ...loaderOptions].sort();
  const nearest = nearestName(name, options);
  if (isForeign && nearest === null) return;
  reportedNames.add(name);
  console.warn(
    `inlay: unknown option “${name}”, ignored. ${nearest ? `Did you mean “${nearest}”? ` : ''}` +
      `Set properties that are not strings on the element: (await inlay.launcher()).${name} = …. ` +
      `The options are ${options.join(', ')}.`,
  );
}
