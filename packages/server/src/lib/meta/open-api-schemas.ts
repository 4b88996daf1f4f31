import { isDeepStrictEqual } from 'node:util';
import * as protocol from '@inlay/protocol';
import * as z from 'zod';

type Schema = z.core.$ZodType;

/**
 * Metadata of schemas, with their names in the API description as `id`: the export names of the
 * protocol, and the ids that this package sets with `.meta({ id })`. The names of the protocol are not
 * in Zod's global registry, because the input schemas of tools, which are sent to models, must not
 * contain references.
 */
class SchemaMetadata extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get<S extends Schema>(schema: S) {
    return { ...z.globalRegistry.get(schema), ...super.get(schema) };
  }
}

const metadata = new SchemaMetadata();
for (const [id, schema] of Object.entries(protocol)) {
  if (schema instanceof z.core.$ZodType) metadata.add(schema, { id });
}

/**
 * Converts a schema to JSON Schema. Schemas with a name, also inside of it, become references to
 * components.
 *
 * @param components Schemas by name. Gets those that have a name.
 * @throws Error if a name has another schema already.
 */
export function convertSchema(
  schema: Schema,
  io: 'input' | 'output',
  components: Map<string, object>,
): object {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, metadata, unrepresentable: 'any' }));
  const converted = JSON.parse(
    text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  );
  const { $schema: _, $defs = {}, ...root } = converted as { $defs?: object; $schema: string };
  for (const [name, definition] of Object.entries($defs)) {
    if (!isDeepStrictEqual(components.get(name) ?? definition, definition)) {
      throw new Error(
        `The API description has two schemas with the name ${name}. A schema that differs between requests and responses, for example because it has defaults, needs two names.`,
      );
    }
    components.set(name, definition);
  }
  return root;
}
