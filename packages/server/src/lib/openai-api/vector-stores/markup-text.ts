import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';

/** UTF-16 code units that are parsed without a pause. */
const stepLength = 16_384;
/**
 * Maximum open elements. A parser searches all of them for each closing tag, so that a document with
 * more continues in another parser.
 */
const maximumDepth = 512;

/** Elements of HTML whose content is not shown. */
const hidden = /^(?:script|style|noscript|template|svg|head)$/;
/** Elements of HTML that do not start a line. */
const inline =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)$/;

/** Which text the markup of a document has. Each function returns the text that is added. */
export interface MarkupRules {
  readonly isXml: boolean;
  onOpen(name: string): string;
  onText(text: string): string;
  onClose(name: string): string;
}

/** Yields the text of HTML without tags, scripts and styles. */
export function htmlText(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  return markupText(pieces, htmlRules);
}

function htmlRules(): MarkupRules {
  let open = 0;
  return {
    isXml: false,
    onOpen(name) {
      if (hidden.test(name)) open += 1;
      return open > 0 || inline.test(name) ? '' : '\n';
    },
    onText: (text) => (open > 0 ? '' : text),
    onClose(name) {
      if (hidden.test(name)) open -= 1;
      return open > 0 || inline.test(name) || name === 'br' ? '' : '\n';
    },
  };
}

/**
 * Yields the text of HTML or XML that arrives in pieces, in steps that do not block for long.
 *
 * @param createRules Called for each parser. A new parser does not report the end of elements that are
 *   still open, so that the rules must not wait for it.
 */
export async function* markupText(
  pieces: AsyncIterable<string>,
  createRules: () => MarkupRules,
): AsyncGenerator<string> {
  let reader = new MarkupReader(createRules());
  for await (const piece of pieces) {
    for (let offset = 0; offset < piece.length; offset += stepLength) {
      yield reader.read(piece.slice(offset, offset + stepLength));
      if (reader.depth > maximumDepth) reader = new MarkupReader(createRules());
      await nextTurn();
    }
  }
  yield reader.end();
}

class MarkupReader {
  readonly #parser: Parser;
  #text = '';
  /** Number of open elements. */
  depth = 0;

  constructor(rules: MarkupRules) {
    this.#parser = new Parser(
      {
        onopentagname: (name) => {
          this.depth += 1;
          this.#text += rules.onOpen(name);
        },
        ontext: (text) => {
          this.#text += rules.onText(text);
        },
        onclosetag: (name) => {
          this.depth -= 1;
          this.#text += rules.onClose(name);
        },
      },
      { xmlMode: rules.isXml, decodeEntities: true },
    );
  }

  read(markup: string): string {
    this.#parser.write(markup);
    return this.#take();
  }

  end(): string {
    this.#parser.end();
    return this.#take();
  }

  #take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
