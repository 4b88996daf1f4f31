import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { registryItemSchema } from 'shadcn/schema';
import { describe, expect, it } from 'vitest';
import { registryItems } from '../scripts/registry.ts';

const guide = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../quick-start/${name}.md`, import.meta.url)), 'utf8');

describe('the items for shadcn', () => {
  it.each(registryItems)('match its schema, with every file: $name', (item) => {
    expect(registryItemSchema.parse(item)).toEqual(item);
  });

  it.each([
    ['next', 'inlay-chat'],
    ['react', 'inlay-chat-vite'],
  ])('of the guide %s install what it installs, and write its endpoint', (name, itemName) => {
    const item = registryItems.find((each) => each.name === itemName);
    const [, packages = ''] = /^npm install (.+)$/m.exec(guide(name)) ?? [];

    expect(item?.dependencies.toSorted()).toEqual(packages.split(' ').sort());
    expect(guide(name)).toContain(`/r/${itemName}.json`);
    expect(item?.files.some(({ content }) => content.includes('createTokenEndpoint'))).toBe(true);
  });
});
