import { readFileSync } from 'node:fs';
import { Card, CardButton, CardField } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';
import { AgentMode, Appearance } from './agent.ts';
import { EmbedPolicy, PublishableKey } from './embed-policy.ts';

const guide = readFileSync(
  new URL('../../../../../docs/configuration.md', import.meta.url),
  'utf8',
);
const settings = Appearance.shape;

describe('docs/configuration.md', () => {
  it.each([
    ['setting of the appearance', Object.keys(settings)],
    ['feature', Object.keys(settings.features.unwrap().shape)],
    ['setting of attachments', Object.keys(settings.attachments.unwrap().shape)],
    ['setting of a mode', Object.keys(AgentMode.shape)],
    ['setting of the embed policy', Object.keys(EmbedPolicy.shape)],
    ['setting of a publishable key', Object.keys(PublishableKey.shape)],
    ['part of a card', Object.keys(Card.shape)],
    ['part of a field', Object.keys(CardField.shape)],
    ['kind of field', CardField.shape.kind.options],
    ['part of a button', Object.keys(CardButton.shape)],
  ])('tells of every %s', (_, names) => {
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => name !== 'type' && !guide.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('docs/admin-api.md', () => {
  it('tells of every call of the backend', async () => {
    const admin = readFileSync(
      new URL('../../../../../docs/admin-api.md', import.meta.url),
      'utf8',
    );
    const { app, close } = await setupServer();
    const calls = app.routes
      .map(({ description }) => description)
      .filter(({ audience, tag }) => audience === 'backend' && tag !== 'Meta')
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replace(/^:(.*)/, '{$1}'));
    await close();

    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter((end) => !admin.includes(end))).toEqual([]);
  });
});
