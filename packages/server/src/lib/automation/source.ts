import { invalidField } from '../problems/api-error.ts';

/** Maximum number of different actions to which one script or workflow refers. */
const maximumReferences = 1000;
/**
 * Maximum number of keys, values, punctuation marks and comments of a workflow. The time of the parser
 * is linear in their number.
 */
const maximumTokens = 20_000;

const tooManyTokensMessage = `must have at most ${maximumTokens} YAML tokens: keys, values, punctuation marks and comments`;
const tooDeepMessage = 'is nested too deeply';

const referencePattern = /^[a-z0-9][a-z0-9._-]{0,63}\/[a-z0-9][a-z0-9._-]{0,63}$/;
const platformApiPattern =
  /\/(?:agent|automation|database|media|meta|model|sandbox|search)\/v\d+(?![\w-])/g;

/**
 * Matches string literals and comments of TypeScript. Comments are matched so that a quote inside one
 * does not start a literal. Each alternative also matches if its end is missing, so that the time is
 * linear in the length of the source.
 */
const commentOrLiteralPattern =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'((?:[^'\\\n]+|\\[\s\S]?)*)'?|"((?:[^"\\\n]+|\\[\s\S]?)*)"?|`((?:[^`\\]+|\\[\s\S]?)*)`?/g;

/** Lists the string literals of TypeScript source, without evaluating escapes. */
function* literalsOf(source: string): Generator<string> {
  for (const [, single, double, template] of source.matchAll(commentOrLiteralPattern)) {
    const literal = single ?? double ?? template;
    if (literal) yield literal;
  }
}

/**
 * Lists the platform APIs that code names in its string literals, such as `/model/v1` for
 * `fetch(base + '/model/v1/models')`.
 */
export function platformApisOf(source: string): string[] {
  const found = new Set<string>();
  for (const literal of literalsOf(source)) {
    for (const [api] of literal.matchAll(platformApiPattern)) found.add(api);
  }
  return [...found].sort();
}

/**
 * Lists the actions that a script names: string literals of the form `namespace/name`.
 *
 * @throws ApiError `VALIDATION_ERROR` for more than 1,000.
 */
export function referencesOfScript(source: string): string[] {
  return collectReferences(literalsOf(source));
}

/**
 * Parses a workflow, and lists the actions that it names: strings of the form `namespace/name`.
 *
 * @throws ApiError `VALIDATION_ERROR` for anything but one YAML mapping, and for more than 1,000
 *   references.
 */
export async function referencesOfWorkflow(source: string): Promise<string[]> {
  // Loaded on demand, because most platforms have no workflows.
  const { isMap, isScalar, Lexer, LineCounter, parseDocument, visit } = await import('yaml');
  let tokens = 0;
  for (const token of new Lexer().lex(source)) {
    // White space and the lexer's control tokens are not counted.
    if (token.charCodeAt(0) > 0x20) tokens += 1;
    if (tokens > maximumTokens) throw invalidField('/source', tooManyTokensMessage);
  }
  const lines = new LineCounter();
  const values: string[] = [];
  try {
    const fail = (offset: number, message: string): never => {
      const { line, col } = lines.linePos(offset);
      const what = message.slice(0, 200);
      throw invalidField('/source', `is not valid YAML in line ${line}, column ${col}: ${what}`);
    };
    const document = parseDocument(source, {
      lineCounter: lines,
      prettyErrors: false,
      // The parser compares each key of a mapping with all others, in quadratic time.
      uniqueKeys: false,
    });
    const [error] = document.errors;
    if (error?.message.startsWith('Maximum call stack')) throw new RangeError(error.message);
    if (error) fail(error.pos[0], error.message);
    if (!isMap(document.contents)) {
      throw invalidField('/source', 'must be a YAML mapping with the steps of the workflow');
    }
    visit(document, {
      Map(_, { items }) {
        const keys = new Set<unknown>();
        for (const { key } of items) {
          if (!isScalar(key)) continue;
          if (keys.has(key.value)) fail(key.range?.[0] ?? 0, 'Map keys must be unique');
          keys.add(key.value);
        }
      },
      Scalar(key, { value }) {
        if (key !== 'key' && typeof value === 'string') values.push(value);
      },
    });
  } catch (error) {
    // The parser is recursive, so that deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    throw invalidField('/source', tooDeepMessage);
  }
  return collectReferences(values);
}

function collectReferences(values: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const value of values) {
    // The names of actions are stored in lower case.
    const name = value.length > 129 ? '' : value.toLowerCase();
    if (referencePattern.test(name)) found.add(name);
  }
  if (found.size <= maximumReferences) return [...found];
  throw invalidField(
    '/source',
    `must have at most ${maximumReferences} strings of the form \`namespace/name\`; it has ${found.size}`,
  );
}
