/** Finds the code blocks of a guide, and converts them to modules that TypeScript can check. */
import { compileScript, compileTemplate, parse } from 'vue/compiler-sfc';

export interface Block {
  /** Path and line, for messages. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

/** Finds the fenced code blocks of a guide. Indented fences, as in lists, count as well. */
export function blocksOf(path: string, markdown: string): Block[] {
  const fences = markdown.matchAll(/^( *)```([\w-]*)[^\n]*\n([\s\S]*?)\n\1```$/gm);
  return [...fences].map(({ 1: indent = '', 2: language = '', 3: code = '', index }) => ({
    place: `${path}:${markdown.slice(0, index).split('\n').length}`,
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Converts a block to a module for the compiler. Null if the block has no types to check. */
export function moduleOf({ language, code, place }: Block): string | null {
  if (language === 'ts' || language === 'tsx') return `${completeExcerpt(code)}\nexport {};\n`;
  // JavaScript is checked only if it imports a package, as the files of a backend do.
  if (language === 'js') return /from '@inlay\//.test(code) ? code : null;
  if (language === 'svelte')
    return `${code.match(/<script[^>]*>([\s\S]*?)<\/script>/)?.[1] ?? ''}\nexport {};\n`;
  if (language !== 'vue') return null;
  const { descriptor, errors } = parse(code, { filename: `${place}.vue` });
  if (errors.length > 0) throw errors[0];
  const script = compileScript(descriptor, { id: 'guide' });
  const isCustomElement = (tag: string) => tag.startsWith('inlay-');
  const template = compileTemplate({
    source: descriptor.template?.content ?? '',
    filename: place,
    id: 'guide',
    compilerOptions: { isCustomElement },
  });
  if (template.errors.length > 0) throw template.errors[0];
  return `${script.content}\n`;
}

/** Adds the enclosing object or function to an excerpt that a guide shows without it. */
function completeExcerpt(code: string): string {
  if (/^\{[\s\S]*\},?$/.test(code)) {
    return `import type { ConfigInput } from '@inlay/server';\nexport const tools: ConfigInput['agents'][number]['tools'] = [\n${code}\n];`;
  }
  if (/^return /m.test(code)) return `export async function handler() {\n${code}\n}`;
  if (/^\w+: [\s\S]*,$/.test(code) || /^\w+: \{$/m.test(code.split('\n')[0] ?? '')) {
    return `import type { ConfigInput } from '@inlay/server';\nexport const settings: Partial<ConfigInput & ConfigInput['agents'][number]> = {\n${code}\n};`;
  }
  return code;
}
