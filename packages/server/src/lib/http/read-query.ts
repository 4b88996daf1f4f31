/**
 * The parameters of a query. One that comes once is a string, one that is repeated a list; a list
 * is read alike with and without `[]` after its name.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URL(url).searchParams) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const before = query[key];
    query[key] = before === undefined ? value : [before, value].flat();
  }
  return { ...query };
}
