/** Checks every code block of the guides: compiles it, parses it, or checks the names in it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { transformSync } from 'esbuild';
import { parseFragment } from 'parse5';
import postcss from 'postcss';
import { type AST, compile, parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import { dereference } from '../../scripts/api/dereference.ts';
import { describeApi } from '../../scripts/api/describe-api.ts';
import { nodesOf } from '../../scripts/testing/syntax.ts';
import { elementsIn } from '../../scripts/testing/templates.ts';
import { type Block, blocksOf, moduleOf } from '../scripts/blocks.ts';
import { guides } from '../scripts/guides.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const blocks = ['README.md', ...guides()].flatMap((path) => blocksOf(path, read(path)));
const inLanguage = (...languages: string[]) =>
  blocks.filter(({ language }) => languages.includes(language));

/** Guides whose code blocks are parts of files that other tests compile or run. */
const testedElsewhere = ['docs/widget.md', 'docs/testing.md'];

/** Languages whose blocks are not checked: output and diagrams. */
const uncheckedLanguages = ['', 'text', 'mermaid'];

/** Returns the places of the blocks for which a check throws, with the messages of the errors. */
function failures(checked: readonly Block[], check: (block: Block) => unknown): string[] {
  return checked.flatMap((block) => {
    try {
      check(block);
      return [];
    } catch (error) {
      return [`${block.place}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

interface Attribute {
  readonly name: string;
}
const { modules } = JSON.parse(read('packages/elements/custom-elements.json')) as {
  modules: {
    declarations: {
      tagName: string;
      attributes?: readonly Attribute[];
      cssProperties: readonly Attribute[];
    }[];
  }[];
};
const attributes = new Map(
  modules.flatMap(({ declarations }) =>
    declarations.map(
      (each) => [each.tagName, new Set(each.attributes?.map(({ name }) => name))] as const,
    ),
  ),
);

interface ApiOperation {
  readonly requestBody: {
    readonly content: Record<'application/json', { readonly schema: object }>;
  };
}

/** Attributes of the script tag that the launcher does not have. */
const loaderAttributes = ['accent', 'dismiss', 'failed', 'label'];

/** Attributes that every HTML element has, or that a framework adds. */
const generalAttributes = /^(?:class|id|slot|style|key|ref|on.*|@.*|:.*|bind:.*|\[.*|\(.*)$/;

/** The elements in a block, with the names of their attributes. */
function elementsOf({ language, code }: Block): { tag: string; names: string[] }[] {
  if (language !== 'svelte') {
    return elementsIn(parseFragment(code)).map(({ tagName, attrs }) => ({
      tag: tagName,
      names: attrs.map(({ name }) => name),
    }));
  }
  return nodesOf<AST.RegularElement>(parse(code, { modern: true }), 'RegularElement').map(
    ({ name, attributes }) => ({
      tag: name,
      names: attributes.flatMap((each) => (each.type === 'Attribute' ? [each.name] : [])),
    }),
  );
}

function checkTags(block: Block): void {
  for (const { tag, names } of elementsOf(block)) {
    const isScript = tag === 'script';
    if (!isScript && !tag.startsWith('inlay-')) continue;
    const knownAttributes = attributes.get(isScript ? 'inlay-launcher' : tag);
    if (!knownAttributes) throw new Error(`there is no <${tag}>`);
    for (const name of names) {
      if (isScript && !name.startsWith('data-')) continue;
      const attributeName = isScript ? name.slice('data-'.length) : name;
      if (isScript && loaderAttributes.includes(attributeName)) continue;
      if (!generalAttributes.test(attributeName) && !knownAttributes.has(attributeName))
        throw new Error(`<${tag}> has no ${name}`);
    }
  }
}

describe('the code of the guides', () => {
  it('is written only in languages that this file checks or lists as unchecked', () => {
    // `e2e/deployment` tests the configurations of proxies.
    const tested = 'ts tsx js html vue svelte json css sh nginx apache caddy http'.split(' ');
    const known = [...tested, ...uncheckedLanguages];
    const others = blocks.filter(({ language }) => !known.includes(language));
    expect(others.map(({ place, language }) => `${place}: ${language}`)).toEqual([]);
  });

  it('contains only TypeScript that compiles', () => {
    const folder = `${root}docs/dist/blocks`;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(`${folder}/code`, { recursive: true });
    for (const place of ['code', 'utils']) {
      cpSync(`${root}docs/scripts/context/chat-token.ts`, `${folder}/${place}/chat-token.ts`);
    }
    const places = new Map<string, string>();
    const errors = failures(inLanguage('ts', 'tsx', 'js', 'vue', 'svelte'), (block) => {
      if (testedElsewhere.some((path) => block.place.startsWith(`${path}:`))) return;
      const code = moduleOf(block);
      if (code === null) return;
      const file = `block-${places.size}.${block.language === 'tsx' ? 'tsx' : 'ts'}`;
      places.set(file, block.place);
      writeFileSync(`${folder}/code/${file}`, code);
    });
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(compilerSettings));
    expect([...errors, ...compilerErrors(folder, places)]).toEqual([]);
    expect(places.size).toBeGreaterThan(30);
  });

  it('contains only JavaScript that parses', () => {
    expect(
      failures(inLanguage('js'), ({ code }) => transformSync(code, { format: 'esm' })),
    ).toEqual([]);
  });

  it('contains only Svelte components that compile', () => {
    const check = ({ code }: Block) => compile(code, { generate: 'client' });
    expect(failures(inLanguage('svelte'), check)).toEqual([]);
  });

  it('contains only Inlay tags and attributes that exist', () => {
    expect(failures(inLanguage('html', 'vue', 'svelte'), checkTags)).toEqual([]);
  });

  it('contains only HTML scripts that parse', () => {
    const check = ({ code }: Block) => {
      for (const { tagName, attrs, childNodes } of elementsIn(parseFragment(code))) {
        const [text] = childNodes;
        const isInline = tagName === 'script' && !attrs.some(({ name }) => name === 'src');
        if (isInline && text && 'value' in text) transformSync(text.value);
      }
    };
    expect(failures(inLanguage('html'), check)).toEqual([]);
  });

  it('contains only valid JSON', () => {
    expect(failures(inLanguage('json'), ({ code }) => JSON.parse(code))).toEqual([]);
  });

  it('contains only valid CSS, with custom properties that exist', () => {
    const declarations = modules.flatMap((each) => each.declarations);
    const properties = declarations.flatMap(({ cssProperties }) => cssProperties);
    const names = new Set(properties.map(({ name }) => name));
    const check = ({ code }: Block) => {
      postcss.parse(code);
      for (const [name] of code.matchAll(/--inlay-[\w-]+/g)) {
        if (!names.has(name)) throw new Error(`there is no ${name}`);
      }
    };
    expect(failures(inLanguage('css'), check)).toEqual([]);
  });

  it('contains only shell commands that parse', () => {
    const check = ({ code }: Block) => execFileSync('sh', ['-n'], { input: code, stdio: 'pipe' });
    expect(failures(inLanguage('sh'), check)).toEqual([]);
  });

  it('contains only HTTP requests that match the API description', async () => {
    const { paths } = await dereference(await describeApi());
    const check = ({ code }: Block) => {
      const [head = '', body = ''] = code.split('\n\n');
      const [, method = '', path = ''] = /^(\w+) (\S+) HTTP\/1\.1\n/.exec(head) ?? [];
      const operation = paths[path]?.[method.toLowerCase()] as ApiOperation | undefined;
      if (!operation) throw new Error(`there is no ${method} ${path}`);
      const { schema } = operation.requestBody.content['application/json'];
      const ajv = new Ajv({ strict: false });
      if (!ajv.validate(schema, JSON.parse(body))) throw new Error(ajv.errorsText());
    };
    expect(failures(inLanguage('http'), check)).toEqual([]);
  });

  it('mentions only npm scripts and packages that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const packageNames = readdirSync(`${root}packages`).flatMap((folder) => {
      try {
        return [JSON.parse(read(`packages/${folder}/package.json`)).name as string];
      } catch {
        return [];
      }
    });
    /** Scripts of the applications that the quick starts create. */
    const applicationScripts = ['dev', 'platform'];
    const check = ({ code }: Block) => {
      for (const [, name = ''] of code.matchAll(/npm run ([\w:-]+)/g)) {
        if (!scripts[name] && !applicationScripts.includes(name))
          throw new Error(`there is no npm run ${name}`);
      }
      for (const [name] of code.matchAll(/@inlay\/[\w-]+/g)) {
        if (!packageNames.includes(name)) throw new Error(`there is no package ${name}`);
      }
    };
    expect(failures(inLanguage('sh'), check)).toEqual([]);
  });
});

const compilerSettings = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: {
    composite: false,
    declaration: false,
    noEmit: true,
    module: 'ESNext',
    moduleResolution: 'Bundler',
    rewriteRelativeImportExtensions: false,
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: ['node', 'react'],
    jsx: 'react-jsx',
    experimentalDecorators: true,
    useDefineForClassFields: false,
  },
  include: ['code', 'utils', '../../scripts/context/ambient.d.ts'],
  // The compiler uses the declarations of these packages, and builds outdated ones first.
  references: ['client', 'elements', 'node', 'protocol', 'react', 'server'].map((name) => ({
    path: `../../../packages/${name}`,
  })),
};

/** Returns the compiler's errors, with the locations of the blocks in the guides. */
function compilerErrors(folder: string, places: ReadonlyMap<string, string>): string[] {
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  try {
    execFileSync(process.execPath, [compiler, '-b', folder, '--pretty', 'false'], { cwd: folder });
    return [];
  } catch (error) {
    const output = String((error as { stdout?: unknown }).stdout);
    return output
      .trim()
      .split('\n')
      .map((line) =>
        line.replace(
          /^code\/block-\d+\.tsx?/,
          (file) => places.get(file.slice('code/'.length)) ?? file,
        ),
      );
  }
}
