import { bundleFromString, createConfig } from '@redocly/openapi-core';

/**
 * Replaces every reference in an API description by its target.
 *
 * @throws Error if a reference has no target.
 */
export async function dereference<Description extends object>(
  description: Description,
): Promise<Description> {
  const { bundle, problems } = await bundleFromString({
    source: JSON.stringify(description),
    config: await createConfig({}),
    dereference: true,
  });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  return bundle.parsed as Description;
}
