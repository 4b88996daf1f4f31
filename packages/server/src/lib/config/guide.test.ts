import { readFileSync } from 'node:fs';
import { Card, CardButton, CardField } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../../../docs/${name}.md`, import.meta.url), 'utf8');
const guide = read('configuration');
const admin = read('admin-api');

describe('docs/configuration.md', () => {
  it.each([
    ['part of a card', Object.keys(Card.shape)],
    ['part of a field', Object.keys(CardField.shape)],
    ['kind of field', CardField.shape.kind.options],
    ['part of a button', Object.keys(CardButton.shape)],
  ])('mentions every %s', (_, names) => {
    expect(names.length).toBeGreaterThan(1);
    expect(
      names.filter((name) => name !== 'type' && !new RegExp(`\`${name}\\b`).test(guide)),
    ).toEqual([]);
  });
});

describe('docs/admin-api.md', () => {
  it('mentions every route for backends, except those in the guides to databases, media, automation and webhooks', async () => {
    const { app, close } = await setupServer();
    const calls = (await app.routes())
      .map(({ description }) => description)
      .filter(({ audience, tag }) => audience === 'backend' && tag !== 'Meta')
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replace(/^:(.*)/, '{$1}'));
    await close();

    expect(calls.length).toBeGreaterThan(20);
    const guides = ['databases-and-media', 'automation', 'webhooks'].map(read).join('') + admin;
    expect(calls.filter((end) => !guides.includes(end))).toEqual([]);
  });
});
