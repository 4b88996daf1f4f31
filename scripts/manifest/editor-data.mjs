/** Creates `html-custom-data.json`: tags and attributes for code completion in VS Code. */

/** @param {object} manifest */
export function editorData(manifest) {
  return {
    version: 1.1,
    tags: manifest.modules.map(({ declarations: [element] }) => ({
      name: element.tagName,
      description: markdown([element.summary, element.description].filter(Boolean).join('\n\n')),
      attributes: element.attributes.map(({ name, description, type }) => ({
        name,
        description: markdown(description ?? ''),
        ...valuesOf(type?.text ?? ''),
      })),
    })),
  };
}

const markdown = (value) => ({ kind: 'markdown', value });

/** Returns the allowed values of an attribute. `valueSet: 'v'` marks an attribute without a value. */
function valuesOf(type) {
  if (type === 'boolean') return { valueSet: 'v' };
  const values = [...type.matchAll(/'([^']+)'/g)].map(([, name]) => ({ name }));
  return values.length > 0 ? { values } : {};
}
