import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { snippetsOf } from './snippets.ts';

describe.each([null, 'pk_helper'])('the code for a site, with the publishable key %s', (key) => {
  const snippets = snippetsOf({ agent: 'helper', baseUrl: 'https://chat.example', key });

  it('parses, and refers to the platform', () => {
    for (const { title, files } of snippets) {
      const code = files.filter(({ name }) => name !== 'Terminal');
      expect(code.map((file) => file.code).join(), title).toContain('https://chat.example');
      for (const file of code) {
        if (file.name !== 'Page') transformSync(file.code, { loader: 'tsx' });
      }
    }
  });

  it(`${key === null ? 'has' : 'needs no'} token endpoint for users who are signed in`, () => {
    const titles = snippets.map(({ title }) => title);

    expect(titles.includes('Token endpoint')).toBe(key === null);
  });
});
