import { english } from '../../packages/elements/src/lib/i18n/all-strings.ts';

/** Returns the page of all texts of the elements in English, by key. */
export function stringsPage() {
  const rows = Object.entries(english).map(([key, text]) => `| \`${key}\` | ${textOf(text)} |`);
  return `# Texts of the elements

The keys of [\`strings\`](../languages.md#replace-texts), with their English texts.

| key | English |
|---|---|
${rows.sort().join('\n')}
`;
}

/** Returns a text, or its plural forms separated by slashes. */
function textOf(text) {
  return typeof text === 'string' ? text : Object.values(text).join(' / ');
}
