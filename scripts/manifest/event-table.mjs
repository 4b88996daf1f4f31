import { ts } from '@custom-elements-manifest/analyzer';

/**
 * Reads the event map of `events.ts`: the type of each event's detail, and whether it is cancelable.
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

/** Whether an event is cancelable: the rule of `emit` in `events.ts`. */
const isCancelable = (name) => name.endsWith('-request');
