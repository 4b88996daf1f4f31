import { readFileSync } from 'node:fs';
import { Card, CardButton, CardField } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { AgentMode, Appearance } from './agent.ts';

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
    ['part of a card', Object.keys(Card.shape)],
    ['part of a field', Object.keys(CardField.shape)],
    ['kind of field', CardField.shape.kind.options],
    ['part of a button', Object.keys(CardButton.shape)],
  ])('tells of every %s', (_, names) => {
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => name !== 'type' && !guide.includes(`\`${name}\``))).toEqual([]);
  });
});
