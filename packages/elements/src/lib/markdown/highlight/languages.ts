import { type Lazy, lazy } from '../../lazy.ts';
import type { Grammar, Tokenizer } from './tokenizer.ts';

/** The supported languages. Each is a chunk, loaded when code in this language is shown. */
const grammars = {
  bash: () => import('@highlightjs/cdn-assets/es/languages/bash.min.js'),
  c: () => import('@highlightjs/cdn-assets/es/languages/c.min.js'),
  cpp: () => import('@highlightjs/cdn-assets/es/languages/cpp.min.js'),
  csharp: () => import('@highlightjs/cdn-assets/es/languages/csharp.min.js'),
  css: () => import('@highlightjs/cdn-assets/es/languages/css.min.js'),
  diff: () => import('@highlightjs/cdn-assets/es/languages/diff.min.js'),
  dockerfile: () => import('@highlightjs/cdn-assets/es/languages/dockerfile.min.js'),
  go: () => import('@highlightjs/cdn-assets/es/languages/go.min.js'),
  ini: () => import('@highlightjs/cdn-assets/es/languages/ini.min.js'),
  java: () => import('@highlightjs/cdn-assets/es/languages/java.min.js'),
  javascript: () => import('@highlightjs/cdn-assets/es/languages/javascript.min.js'),
  json: () => import('@highlightjs/cdn-assets/es/languages/json.min.js'),
  kotlin: () => import('@highlightjs/cdn-assets/es/languages/kotlin.min.js'),
  markdown: () => import('@highlightjs/cdn-assets/es/languages/markdown.min.js'),
  php: () => import('@highlightjs/cdn-assets/es/languages/php.min.js'),
  powershell: () => import('@highlightjs/cdn-assets/es/languages/powershell.min.js'),
  python: () => import('@highlightjs/cdn-assets/es/languages/python.min.js'),
  ruby: () => import('@highlightjs/cdn-assets/es/languages/ruby.min.js'),
  rust: () => import('@highlightjs/cdn-assets/es/languages/rust.min.js'),
  sql: () => import('@highlightjs/cdn-assets/es/languages/sql.min.js'),
  swift: () => import('@highlightjs/cdn-assets/es/languages/swift.min.js'),
  typescript: () => import('@highlightjs/cdn-assets/es/languages/typescript.min.js'),
  xml: () => import('@highlightjs/cdn-assets/es/languages/xml.min.js'),
  yaml: () => import('@highlightjs/cdn-assets/es/languages/yaml.min.js'),
} as const satisfies Record<string, () => Promise<{ readonly default: Grammar }>>;

export type Language = keyof typeof grammars;

/** Other names of the languages in code fences. */
const aliases: Readonly<Record<string, Language>> = {
  'c#': 'csharp',
  'c++': 'cpp',
  cs: 'csharp',
  docker: 'dockerfile',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  html: 'xml',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  patch: 'diff',
  postgresql: 'sql',
  ps1: 'powershell',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svelte: 'xml',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  zsh: 'bash',
};

/** Languages whose code can be embedded in code of another language, by that language. */
const embeddedLanguages: Partial<Record<Language, readonly Language[]>> = {
  xml: ['css', 'javascript'],
  php: ['xml'],
};

/** Returns the supported language for the name in a code fence. */
function languageOf(name: string): Language | undefined {
  const lower = name.toLowerCase();
  if (Object.hasOwn(aliases, lower)) return aliases[lower];
  return Object.hasOwn(grammars, lower) ? (lower as Language) : undefined;
}

const tokenizers = new Map<Language, Lazy<Tokenizer>>();

/**
 * Loads the tokenizer of a language. Resolves to undefined if the language is not supported or loading
 * fails: the code is not highlighted then, and the next block retries.
 */
export async function loadTokenizer(name: string): Promise<Tokenizer | undefined> {
  const language = languageOf(name);
  if (!language) return undefined;
  const tokenizer = tokenizers.get(language) ?? lazy(() => createTokenizer(language));
  tokenizers.set(language, tokenizer);
  return tokenizer.load();
}

/** Loads the highlighter, and the grammars of a language and of its embedded languages. */
async function createTokenizer(language: Language): Promise<Tokenizer> {
  const names = [...(embeddedLanguages[language] ?? []), language];
  const loads = names.map(async (name) => [name, (await grammars[name]()).default] as const);
  const { createTokenizer } = await import('./tokenizer.ts');
  return createTokenizer(language, await Promise.all(loads));
}
