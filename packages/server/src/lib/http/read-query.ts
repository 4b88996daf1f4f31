/**
 * The parameters of a query. One that comes once is a string, one that is repeated a list; a list
 * is read alike with and without `[]` after its name.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URL(url).searchParams) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const before = query[key];
    // Appended in place: a copy for each of thousands of repetitions would take seconds.
    if (Array.isArray(before)) before.push(value);
    else query[key] = before === undefined ? value : [before, value];
  }
  return { ...query };
}
