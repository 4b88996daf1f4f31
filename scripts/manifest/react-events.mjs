/** `packages/react/src/lib/event-table.ts`: which `on…` prop hears which event. */

/** @param {object} manifest */
export function reactEvents(manifest) {
  const rows = (tag) =>
    elementOf(manifest, tag).events.map(({ name }) => `  ${handlerName(name)}: '${name}',\n`);
  return `// Written by \`npm run manifest\` from the \`@fires\` of the elements. Change those.

/** What \`inlay-chat\` tells, by the name of the prop that hears it. */
export const chatEvents = {
${rows('inlay-chat').join('')}} as const;

/** What \`inlay-launcher\` tells: what the chat in it does, and more. */
export const launcherEvents = {
  ...chatEvents,
${rows('inlay-launcher').join('')}} as const;
`;
}

function elementOf({ modules }, tag) {
  const found = modules.find(({ declarations }) => declarations[0].tagName === tag);
  if (!found) throw new Error(`No class says in HTMLElementTagNameMap that it is ${tag}.`);
  return found.declarations[0];
}

/** `inlay-auth-change` is `onAuthChange`. */
function handlerName(event) {
  const words = event.replace(/^inlay-/, '').split('-');
  return `on${words.map((word) => word[0].toUpperCase() + word.slice(1)).join('')}`;
}
