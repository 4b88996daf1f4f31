import { registryItemSchema } from 'shadcn/schema';
import { expect, it } from 'vitest';
import { registryItem } from '../scripts/registry.ts';

it('the item for shadcn matches its schema, with every file', () => {
  expect(registryItemSchema.parse(registryItem)).toEqual(registryItem);
});
