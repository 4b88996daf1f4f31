import { readFileSync } from 'node:fs';
import { Card, CardButton, CardField, IssueTokenRequest } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';
import { AgentMode, Appearance } from './agent.ts';
import { Config } from './config.ts';
import { EmbedPolicy, PublishableKey } from './embed-policy.ts';
import { Limits } from './limits.ts';
import { ModelConfig } from './model.ts';
import { ToolConfig } from './tools.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../../../docs/${name}.md`, import.meta.url), 'utf8');
const guide = read('configuration');
const admin = read('admin-api');
const settings = Appearance.shape;

/** Names of settings as the guide writes them, such as `streams.drain_seconds`. */
const { streams, store, retention } = Config.shape;
const platformSettings = Object.entries({ streams, store, retention }).flatMap(([section, shape]) =>
  Object.keys(shape.unwrap().shape).map((name) => `${section}.${name}`),
);

const parsedLimits = Limits.parse(undefined);

/** Returns the name and the default of each limit, such as `request.json_bytes`. */
function limitRows(section: object, prefix = ''): [string, unknown][] {
  return Object.entries(section).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? limitRows(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value] as [string, unknown]],
  );
}

describe('docs/configuration.md', () => {
  it.each([
    ['setting of the appearance', Object.keys(settings)],
    ['feature', Object.keys(settings.features.unwrap().shape)],
    ['setting of attachments', Object.keys(settings.attachments.unwrap().shape)],
    ['setting of a mode', Object.keys(AgentMode.shape)],
    ['setting of the embed policy', Object.keys(EmbedPolicy.shape)],
    ['setting of a publishable key', Object.keys(PublishableKey.shape)],
    ['setting of a model', ModelConfig.options.flatMap(({ shape }) => Object.keys(shape))],
    ['setting of a tool', ToolConfig.options.flatMap(({ shape }) => Object.keys(shape))],
    ['setting of the platform', platformSettings],
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

describe('docs/limits.md', () => {
  it.each(limitRows(parsedLimits))('has a row for `%s` with its default', (name, value) => {
    const row = read('limits')
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` |`));

    expect(row?.split('|').at(-2)?.trim()).toBe(String(value));
  });
});

describe('docs/admin-api.md', () => {
  it('mentions every member of a token request', () => {
    const fields = Object.keys(IssueTokenRequest.shape);

    expect(fields.length).toBeGreaterThan(5);
    expect(fields.filter((field) => !admin.includes(`| \`${field}\` |`))).toEqual([]);
  });

  it('mentions every route for backends, except those in the guides to databases, media and automation', async () => {
    const { app, close } = await setupServer();
    const calls = app.routes
      .map(({ description }) => description)
      .filter(({ audience, tag }) => audience === 'backend' && tag !== 'Meta')
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replace(/^:(.*)/, '{$1}'));
    await close();

    expect(calls.length).toBeGreaterThan(20);
    const guides = admin + read('databases-and-media') + read('automation');
    expect(calls.filter((end) => !guides.includes(end))).toEqual([]);
  });
});
