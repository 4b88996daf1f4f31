const { stringify } = JSON;
const plainTypes = [Object, Array];

/**
 * Serializes a value like `JSON.stringify`, even if a script of the page gave arrays or objects a method
 * `toJSON`, as Prototype.js before version 1.7 does: arrays then become strings.
 */
export function toJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
  indent?: number,
): string | undefined {
  const patches = plainTypes.flatMap(({ prototype }) => {
    const patch = Object.getOwnPropertyDescriptor(prototype, 'toJSON');
    return patch?.configurable ? [[prototype, patch] as const] : [];
  });
  for (const [prototype] of patches) Reflect.deleteProperty(prototype, 'toJSON');
  try {
    return stringify(value, replacer, indent);
  } finally {
    for (const [prototype, patch] of patches) Object.defineProperty(prototype, 'toJSON', patch);
  }
}
