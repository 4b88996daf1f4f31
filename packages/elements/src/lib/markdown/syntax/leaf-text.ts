import { closingHashes } from './block-starts.ts';
import type { BlockSink, Code, Heading, Paragraph } from './blocks.ts';
import { readDefinition } from './definitions.ts';

/**
 * How text gets into leaves. Some of it is held back until what follows says whether it is text at
 * all: hashes that may close a heading, blank lines that may end code, a line that may be the header
 * of a table, and brackets that may define a reference.
 */

/** Longest start of a line that is kept back because it may be the header of a table. */
const maxHeldHeader = 256;

export function appendToHeading(sink: BlockSink, heading: Heading, text: string): void {
  const whole = heading.held + text;
  const keep = closingHashes(whole, heading.empty);
  heading.held = whole.slice(keep);
  if (keep === 0) return;
  heading.empty = false;
  sink.append(heading, whole.slice(0, keep));
}

/** Adds a line. Blank lines at the end of indented code are not part of it. */
export function appendToCode(sink: BlockSink, code: Code, line: string): void {
  if (!code.fence && !line.trim()) code.held += `${line}\n`;
  else {
    sink.append(code, code.held + line);
    code.held = '\n';
  }
}

/** Adds text to a paragraph; a line end stands before each line but the first. */
export function appendToParagraph(sink: BlockSink, paragraph: Paragraph, text: string): void {
  const continues = paragraph.held !== '' && text[0] !== '\n';
  const mayBeHeader = text[0] === '|' ? !paragraph.text : text.startsWith('\n|');
  if (paragraph.maybeDefinition || continues) paragraph.held += text;
  else {
    releaseHeld(sink, paragraph);
    if (mayBeHeader) paragraph.held = text;
    else show(sink, paragraph, text);
  }
  if (paragraph.maybeDefinition) readDefinitions(sink, paragraph, false);
  else if (paragraph.held.length > maxHeldHeader) releaseHeld(sink, paragraph);
}

/** What was held back is text after all. */
export function releaseHeld(sink: BlockSink, paragraph: Paragraph): void {
  const { held } = paragraph;
  paragraph.held = '';
  if (held) show(sink, paragraph, held);
}

function show(sink: BlockSink, paragraph: Paragraph, text: string): void {
  const shown = paragraph.text ? text : text.replace(/^[ \t\n]+/, '');
  paragraph.text += shown;
  if (shown) sink.append(paragraph, shown);
}

/** Takes the definitions from the start of a paragraph; with `complete`, nothing more will come. */
export function readDefinitions(sink: BlockSink, paragraph: Paragraph, complete: boolean): void {
  while (paragraph.held) {
    const definition = readDefinition(paragraph.held, complete);
    if (definition === 'open') return;
    if (!definition) {
      paragraph.maybeDefinition = false;
      releaseHeld(sink, paragraph);
      return;
    }
    sink.define(definition.label, definition);
    paragraph.held = paragraph.held.slice(definition.end);
  }
}
