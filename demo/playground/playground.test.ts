import { readFileSync } from 'node:fs';
import { baseParse, compile as compileVue } from '@vue/compiler-dom';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import postcss from 'postcss';
import { compile as compileSvelte, parse as parseSvelte } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import { Appearance } from '../../packages/server/src/lib/config/agent.ts';
import { agentSettings, withoutPreview } from './agent-settings.ts';
import { type CodeFile, codeOf } from './code.ts';
import { examples } from './examples.ts';
import { connection, type Manifest, optionsOf } from './options.ts';
import { initialState, integrations, readFragment, type State, tags, toFragment } from './state.ts';

const manifest = JSON.parse(
  readFileSync(new URL('../../packages/elements/custom-elements.json', import.meta.url), 'utf8'),
) as Manifest;

const stateWith = (change: Partial<State>): State => ({ ...initialState, ...change });
const sourceOf = (state: State) =>
  codeOf(state)
    .files.map(({ code }) => code)
    .join('\n');

describe('optionsOf', () => {
  for (const tag of tags) {
    it(`returns every settable property and every CSS custom property of ${tag}`, () => {
      const options = optionsOf(tag);
      const declaration = manifest.modules
        .flatMap(({ declarations }) => declarations)
        .find(({ tagName }) => tagName === tag);
      const properties = declaration?.members.filter(
        ({ kind, readonly }) => kind === 'field' && !readonly,
      );
      expect(options.map(({ property }) => property)).toEqual([
        ...(properties ?? []).map(({ name }) => name),
        ...(declaration?.cssProperties ?? []).map(({ name }) => name),
      ]);
      expect(options.length).toBeGreaterThan(80);
    });
  }

  it('throws for an object option without an example', () => {
    const changed = structuredClone(manifest) as unknown as {
      modules: { declarations: { tagName: string; members: object[] }[] }[];
    };
    for (const { declarations } of changed.modules) {
      declarations[0]?.members.push({ kind: 'field', name: 'plan', type: { text: 'Plan | null' } });
    }
    expect(() => optionsOf('inlay-chat', changed as unknown as Manifest)).toThrow('plan');
  });

  it('returns the values of a named union type as choices', () => {
    const follow = optionsOf('inlay-chat').find(({ name }) => name === 'follow');
    expect(follow?.control).toEqual({ kind: 'choice', values: ['bottom', 'question-top', 'off'] });
  });
});

describe('agentSettings', () => {
  it('contains every setting of the appearance of an agent, and the default of each feature', () => {
    const names = (group: string) =>
      agentSettings
        .filter(({ name }) => name.startsWith(group))
        .map(({ name }) => name.slice(group.length).split('.')[0] ?? '');
    expect([...new Set([...names('appearance.'), ...withoutPreview])].sort()).toEqual(
      Object.keys(Appearance.shape).sort(),
    );
    const { features } = Appearance.parse({});
    expect(names('appearance.features.').sort()).toEqual(Object.keys(features).sort());
    for (const { name, fallback } of agentSettings) {
      const feature = name.replace('appearance.features.', '');
      if (feature in features) {
        expect(fallback === 'on', feature).toBe(features[feature as keyof typeof features]);
      }
    }
  });
});

describe('examples', () => {
  it('have the value to which their source code evaluates', () => {
    for (const [name, { source, value }] of Object.entries(examples)) {
      if (connection.includes(name)) continue;
      const { code } = transformSync(`globalThis.example = ${source}`);
      new Function(code)();
      const { example } = globalThis as { example?: unknown };
      const comparable = (each: unknown) =>
        JSON.stringify(each, (_, part) => (typeof part === 'function' ? 'function' : part));
      expect(comparable(example), name).toBe(comparable(value));
    }
  });
});

/** Throws if a file has a syntax error. */
function checkSyntax({ name, code }: CodeFile): void {
  const scripts = [...code.matchAll(/<script(?! async)[^>]*>([\s\S]*?)<\/script>/g)];
  const [, template = ''] = /<template>\n([\s\S]*)\n<\/template>/.exec(code) ?? [];
  if (name.endsWith('.svelte')) compileSvelte(code, { generate: 'client' });
  else if (/\.(tsx?|js)$/.test(name)) transformSync(code, { loader: 'tsx', ...decorators });
  else if (name.endsWith('.css')) postcss.parse(code);
  else for (const [, script = ''] of scripts) transformSync(script, { loader: 'ts' });
  if (template) compileVue(template, { mode: 'module', prefixIdentifiers: true });
}

const decorators = { tsconfigRaw: { compilerOptions: { experimentalDecorators: true } } };

describe('codeOf', () => {
  const stateWithHeading = (value: string, integration: string) =>
    stateWith({ integration, tag: 'inlay-launcher', options: { heading: value } });
  const hostileText = fc
    .oneof(
      fc.string({ minLength: 1, maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            '"',
            "'",
            '<',
            '>',
            '&',
            '&quot;',
            '{{',
            '}}',
            '${',
            '`',
            '\\',
            '</script>',
            '-->',
            '{',
            'a',
            ' ',
          ),
          { minLength: 1, maxLength: 12 },
        )
        .map((parts) => parts.join('')),
    )
    .filter((value) => value.trim() === value && !/[\p{Cc}\p{Cs}]/u.test(value));

  it('writes HTML attributes that a parser reads back unchanged', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom('html', 'script'), (value, integration) => {
        const [file] = codeOf(stateWithHeading(value, integration)).files;
        const { childNodes } = parseFragment(file?.code ?? '');
        expect(childNodes).toHaveLength(1);
        const { attrs } = childNodes[0] as unknown as { attrs: { name: string; value: string }[] };
        expect(attrs.find(({ name }) => /^(data-)?heading$/.test(name))?.value).toBe(value);
      }),
    );
  });

  it('writes JSX that a compiler reads back unchanged', () => {
    fc.assert(
      fc.property(hostileText, (value) => {
        const [file] = codeOf(stateWithHeading(value, 'react')).files;
        const { code } = transformSync(file?.code ?? '', {
          loader: 'tsx',
          jsxFactory: 'create',
          format: 'cjs',
        });
        const create = (_: unknown, props: { heading: string }) => props;
        const module = { exports: {} as { Chat(): { heading: string } } };
        new Function('create', 'module', 'exports', 'require', code)(
          create,
          module,
          module.exports,
          () => ({}),
        );
        expect(module.exports.Chat().heading).toBe(value);
      }),
    );
  });

  it('writes templates of Vue and Svelte that a compiler reads back unchanged', () => {
    fc.assert(
      fc.property(hostileText, (value) => {
        const vue = codeOf(stateWithHeading(value, 'vue')).files[0]?.code ?? '';
        const template = /<template>\n([\s\S]*)\n<\/template>/.exec(vue)?.[1] ?? '';
        const [element] = baseParse(template.trim(), { parseMode: 'html' }).children;
        const { props } = element as unknown as {
          props: { name: string; value?: { content: string } }[];
        };
        expect(props.find(({ name }) => name === 'heading')?.value?.content).toBe(value);

        const svelte = codeOf(stateWithHeading(value, 'svelte')).files[0]?.code ?? '';
        const { fragment } = parseSvelte(svelte, { modern: true });
        const node = fragment.nodes.find(({ type }) => type === 'RegularElement') as unknown as {
          attributes: { name: string; value: { type: string; data: string }[] }[];
        };
        const parts = node.attributes.find(({ name }) => name === 'heading')?.value ?? [];
        expect(parts.map(({ type, data }) => [type, data])).toEqual([['Text', value]]);
      }),
    );
  });

  it('escapes braces, backticks and substitutions in templates of Angular', () => {
    const code = sourceOf(stateWithHeading(['{{ a }} `b` $', '{c} \\'].join(''), 'angular'));
    expect(code).toContain('heading="&#123;&#123; a &#125;&#125; \\`b\\` $&#123;c&#125; \\\\"');
  });

  it('writes only options that differ from their defaults', () => {
    const code = codeOf(
      stateWith({
        options: { density: 'cosy', follow: 'bottom', announce: 'off', 'no-resume': 'off' },
      }),
    );
    expect(code.files[0]?.code).toBe(
      [
        '<inlay-chat',
        '  base-url="https://chat.example"',
        '  token-url="/api/chat-token"',
        '  density="cosy"',
        '  announce="off"',
        '></inlay-chat>',
      ].join('\n'),
    );
  });

  it('writes every changed option for each integration', () => {
    for (const tag of tags) {
      const options = Object.fromEntries(
        optionsOf(tag)
          .filter(({ property }) => property !== 'client')
          .map(({ name, control }) => [
            name,
            control.kind === 'choice'
              ? (control.values.at(-1) ?? '')
              : control.kind === 'text'
                ? `text-${name}`
                : { number: '7', css: '3px', switch: 'on', example: 'on' }[control.kind],
          ]),
      );
      for (const integration of integrations) {
        // Integrations without elements, and the script tag, which has only the launcher.
        if (['hosted', 'headless'].includes(integration)) continue;
        if (integration === 'script' && tag === 'inlay-chat') continue;
        const code = sourceOf(stateWith({ tag, integration, options }));
        const missing = optionsOf(tag).filter(
          ({ name, property, fallback }) =>
            name in options &&
            options[name] !== fallback &&
            // The script tag derives the platform from the address of the script.
            !(integration === 'script' && property === 'baseUrl') &&
            !code.includes(name) &&
            !code.includes(property),
        );
        expect(
          missing.map(({ name }) => name),
          `${tag} ${integration}`,
        ).toEqual([]);
        expect(code).not.toContain('undefined');
        for (const file of codeOf(stateWith({ tag, integration, options })).files)
          checkSyntax(file);
      }
    }
  });

  it('writes a headless client with the server and the token source of the options', () => {
    const headless = (options: State['options']) => {
      const { files } = codeOf(stateWith({ integration: 'headless', options }));
      for (const file of files) checkSyntax(file);
      return files.map(({ code }) => code).join();
    };

    expect(headless({ 'base-url': 'https://a.example', 'token-url': '/token' })).toMatch(
      /baseUrl: 'https:\/\/a\.example',\n {2}tokens: hostTokens\(fetchToken\('\/token'\)\)/,
    );
    expect(headless({ 'publishable-key': 'pk_a' })).toContain(
      "anonymousVisitor({ publishableKey: 'pk_a' })",
    );
  });

  it('writes the changed settings of the agent', () => {
    const agent = {
      'appearance.greeting': "It's <late>",
      'appearance.features.feedback': 'off',
      'appearance.starter_prompts': 'One | Two',
    };
    const code = codeOf(stateWith({ agent })).files.at(-1)?.code ?? '';
    expect(code).toContain('greeting: "It\'s \\u003clate>"');
    expect(code).toContain('features: { feedback: false }');
    expect(code).toContain("{ label: 'One', prompt: 'One' }");
  });

  it('writes a welcome card that the platform accepts, in short lines', () => {
    const agent = { 'appearance.welcome': 'on' };
    const code = codeOf(stateWith({ agent })).files.at(-1)?.code ?? '';
    const { agents } = new Function(`return { ${code} }`)();
    expect(Appearance.parse(agents[0].appearance).welcome).toMatchObject(
      examples['appearance.welcome']?.value as object,
    );
    expect(code.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });
});

describe('links', () => {
  it('restore the state', () => {
    const state: State = {
      tag: 'inlay-launcher',
      integration: 'vue',
      size: 'phone',
      options: {
        heading: 'A & b="c"',
        sound: 'on',
        '--inlay-color-accent': '#c02d2d',
        tools: 'on',
      },
      agent: { 'appearance.greeting': 'Hi <b>', 'appearance.features.threads': 'off' },
    };
    expect(readFragment(toFragment(state))).toEqual({ state, ignored: [] });
    expect(toFragment(initialState)).toBe('');
  });

  it('neither contain nor set the server, the token or the conversation', () => {
    const options = {
      'base-url': 'https://evil.example',
      'token-url': 'https://evil.example/token',
      'publishable-key': 'pk_evil',
      'session-id': 'ses_evil',
      getToken: 'on',
      client: 'on',
    };
    expect(toFragment(stateWith({ options }))).toBe('');
    const { state, ignored } = readFragment(String(new URLSearchParams(options)));
    expect(state).toEqual(initialState);
    expect([...ignored].sort()).toEqual(Object.keys(options).sort());
    // Links contain the names of attributes, so names of properties are unknown.
    expect(readFragment('baseUrl=https://evil.example').state).toEqual(initialState);
  });

  it.each([
    ['--inlay-avatar-agent', 'url(https://evil.example/x.png)'],
    ['--inlay-avatar-agent', 'URL("https://evil.example")'],
    ['--inlay-avatar-agent', 'image-set("https://evil.example/x.png" 1x)'],
    ['--inlay-avatar-agent', 'u\\72l(https://evil.example)'],
    ['--inlay-color-accent', 'red; } body { display: none'],
    ['--inlay-color-accent', '</style><script>alert(1)</script>'],
    ['--inlay-radius', 'calc(1px'],
    ['density', 'huge'],
    ['sound', 'yes'],
    ['teaser-delay', '1e9'],
    ['tools', '{}'],
    ['onclick', 'alert(1)'],
    ['__proto__', 'x'],
    ['element', 'script'],
    ['code', 'constructor'],
    ['agent.instructions', 'x'],
    ['agent.appearance.theme.accent', 'url(//evil.example)'],
  ])('do not set the unknown or invalid value %s=%s', (name, value) => {
    const parameters = new URLSearchParams({ element: 'inlay-launcher' });
    parameters.set(name, value);
    const { state, ignored } = readFragment(String(parameters));
    expect(ignored).toEqual([name]);
    expect(state.options).toEqual({});
    expect(state.agent).toEqual({});
  });

  it.each([
    ['201 characters', 'x'.repeat(201)],
    ['a character that reverses the direction of text', 'a\u202eb'],
  ])('do not set a heading with %s', (_description, heading) => {
    const { state, ignored } = readFragment(String(new URLSearchParams({ heading })));
    expect(ignored).toEqual(['heading']);
    expect(state.options).toEqual({});
  });

  it('are ignored if they have more than 8000 characters', () => {
    const { state, ignored } = readFragment(`heading=A&unknown=${'x'.repeat(9000)}`);
    expect(state).toEqual(initialState);
    expect(ignored).toHaveLength(1);
  });
});
