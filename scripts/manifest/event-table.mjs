import { ts } from '@custom-elements-manifest/analyzer';

const tables = ['InlayEventDetails', 'InlayRequestDetails'];

/**
 * Event name to what `events.ts` says of it: the type of its detail, and whether it can be
 * prevented.
 *
 * @param {ts.SourceFile} source
 */
export function eventTable(source) {
  const [, list = ''] = /const cancelable = new Set[^(]*\(\[([^\]]*)\]\)/.exec(source.text) ?? [];
  const cancelable = new Set([...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name));
  const events = new Map();
  for (const statement of source.statements) {
    if (!ts.isInterfaceDeclaration(statement) || !tables.includes(statement.name.text)) continue;
    for (const member of statement.members) {
      const name = member.name.text;
      const detail = member.type.getText(source).replace(/\s+/g, ' ');
      events.set(name, {
        type: { text: `CustomEvent<${detail}>` },
        ...(cancelable.has(name) ? { cancelable: true } : {}),
      });
    }
  }
  return events;
}
