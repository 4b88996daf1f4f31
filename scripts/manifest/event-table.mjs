import { ts } from '@custom-elements-manifest/analyzer';

/**
 * Event name to what `events.ts` says of it: the type of its detail, and whether it can be
 * prevented.
 *
 * @param {ts.SourceFile} source
 */
export function eventTable(source) {
  const events = new Map();
  for (const statement of source.statements) {
    if (!ts.isInterfaceDeclaration(statement) || !/^Inlay\w+Details$/.test(statement.name.text))
      continue;
    for (const member of statement.members) {
      const name = member.name.text;
      const detail = member.type.getText(source).replace(/\s+/g, ' ');
      events.set(name, {
        type: { text: `CustomEvent<${detail}>` },
        ...(isCancelable(name) ? { cancelable: true } : {}),
      });
    }
  }
  return events;
}

/** As `emit` has it. */
const isCancelable = (name) => name.endsWith('-request');
