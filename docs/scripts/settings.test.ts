/** Checks that every setting of the configuration has a description, from which its page is generated. */
import { expect, it } from 'vitest';
import { sections } from './settings.mjs';

it('every setting of the configuration has a description', () => {
  const settings = sections().flatMap(({ heading, rows }) =>
    rows.map(({ name, about }) => ({ name: `${heading}: ${name}`, about })),
  );

  expect(settings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Config: agents', 'EmbedPolicy: limits', 'Limits: request.json_bytes']),
  );
  expect(settings.filter(({ about }) => !about)).toEqual([]);
});

it('the page has the default and the bounds of each setting', () => {
  const limits = sections().find(({ heading }) => heading === 'Limits');

  expect(limits?.rows.find(({ name }) => name === 'request.body_seconds')).toMatchObject({
    fallback: '`30`',
    values: '1 to 300',
  });
});
