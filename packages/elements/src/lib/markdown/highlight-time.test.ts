import { expect } from '../testing/fixture.ts';
import { minimumTime, processorTimeOf, reportsProcessorTime } from '../testing/processor-time.ts';
import type { Language } from './highlight/languages.ts';
import { loadTokenizer } from './highlight/languages.ts';
import type { Tokenizer } from './highlight/tokenizer.ts';

const isMeasured = await reportsProcessorTime();

/** Lengths in characters. The second length is the maximum for highlighted code. */
const lengths = [2_500, 10_000] as const;

/**
 * Maximum ratio of the times for the longer and the shorter text. The ratio is 4 for linear growth, and 16 for
 * quadratic growth.
 */
const maxGrowth = 10;

/** Maximum ratio of the times for any text and for ordinary code of the same length. */
const maxRatio = 10;

const runs = 4;

/** A line of ordinary code in each language. */
const ordinaryCode: Readonly<Record<Language, string>> = {
  bash: 'for file in "$HOME"/*.txt; do echo "$file" | wc -l; done # names',
  c: 'static int add(const int *a, size_t n) { return n > 0 ? a[0] : 0; } /* sum */',
  cpp: 'template <typename T> std::vector<T> map(const T &a) { return {a, "b"}; } // map',
  csharp: 'public static async Task<int> Add(List<string> names) { return await Sum(1, "b"); }',
  css: '.card > p:hover { color: #fff; margin: 0 auto; background: url("a.png"); }',
  diff: '+ const answer = 42;',
  dockerfile: 'RUN apt-get update && apt-get install -y "curl=7.*"',
  go: 'func (s *Server) Add(a int, b ...string) error { return fmt.Errorf("a %d", a) }',
  ini: 'name = "value" ; comment',
  java: 'public static List<String> names(Map<String, Integer> all) { return List.of("a", 1); }',
  javascript: 'export const add = async (a, b = { c: 1 }) => `a` + b.map((d) => d * 2); // sum',
  json: '{ "name": "value", "count": 42, "list": [true, null, 1.5e3] },',
  kotlin: 'fun add(a: Int, b: List<String> = listOf("c")): Int = b.map { it.length }.sum() + a',
  markdown: '- A [link](https://a.example) with **bold**, _italic_ and `code` in it.',
  php: '<?php function add(int $a, ?string $b = "c"): array { return [$a => "$b"]; } ?>',
  powershell: 'Get-ChildItem -Path "$HOME" | Where-Object { $_.Length -gt 10 } # files',
  python: 'def add(a: int, *b: str) -> list[int]: return [len(f"{c}") + a for c in b]  # sum',
  ruby: 'def add(a, b: "c") = [a, b].map { |d| "#{d}" }.select(&:present?) # sum',
  rust: "pub fn add<'a, T: Copy>(a: &'a [T], b: u32) -> Option<T> { a.get(b as usize).copied() }",
  sql: "SELECT name, COUNT(*) FROM users u JOIN items i ON u.id = i.id WHERE name = 'a';",
  swift: 'func add<T: Hashable>(_ a: [T], to b: Int = 1) -> Int { return a.count + b } // sum',
  typescript: 'export function add<T extends object>(a: T, b?: string[]): Promise<T> { return a; }',
  xml: '<item id="a" class="b"><name>Some text &amp; more</name><!-- note --></item>',
  yaml: 'name: "value" # comment',
};

/** Text that is not code, in lines of 80 characters. */
const otherTexts: Readonly<Record<string, string>> = {
  prose: 'The quick brown fox jumps over the lazy dog, and then it sleeps until the morning. ',
  base64: base64(),
  'words of 79 letters': `${'abcdefghij'.repeat(8).slice(1)} `,
  'words of 5 letters': 'short words of a list ',
  brackets: '([{<',
};

/** Base64 of pseudorandom bytes, without repetitions. */
function base64(): string {
  let seed = 1;
  const bytes = Uint8Array.from({ length: 7_500 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed >> 16;
  });
  return btoa(String.fromCharCode(...bytes));
}

/** Repeats `unit` up to a length, in lines of 80 characters. */
function textOf(unit: string, length: number): string {
  const characters = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  return characters.replace(/.{79}/gs, '$&\n').slice(0, length);
}

/** Processor time to tokenize a text, in milliseconds: the minimum of several runs. */
async function timeOf(tokenize: Tokenizer, text: string): Promise<number> {
  let minimum = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const time = await processorTimeOf(async () => void tokenize(text));
    minimum = Math.min(minimum, time);
    // Shorter times are not measured reliably, so further runs are unnecessary.
    if (minimum <= minimumTime) break;
  }
  return Math.max(minimum, minimumTime);
}

describe('highlighting time', () => {
  for (const [language, line] of isMeasured ? Object.entries(ordinaryCode) : []) {
    it(`of ${language} grows almost in proportion to the length`, async () => {
      const tokenize = await loadTokenizer(language);
      if (!tokenize) throw new Error(`There is no tokenizer for ${language}.`);
      const ordinaryTime = await timeOf(tokenize, textOf(`${line}\n`, 10_000));

      for (const [name, unit] of Object.entries({ code: line, ...otherTexts })) {
        const short = await timeOf(tokenize, textOf(unit, lengths[0]));
        const long = await timeOf(tokenize, textOf(unit, lengths[1]));
        const message = `${name}: ${Math.round(short)}, ${Math.round(long)} ms`;
        expect(long / short, message).to.be.below(maxGrowth);
        expect(long / ordinaryTime, message).to.be.below(maxRatio);
      }
    });
  }
});
