import { extras } from '../extras.ts';
import { headingTextLength } from './block-starts.ts';
import type { BlockSink, Code, Heading, Paragraph } from './blocks.ts';
import { scanLabel } from './labels.ts';

/**
 * Appends text to leaves. Some text is held back until later text decides whether it belongs to the
 * leaf: `#` that may close a heading, blank lines that may end code, a line that may be the header of a
 * table, and definitions of references.
 */

/** Maximum length of a line that is held back as a possible header of a table, in characters. */
const maxHeldHeader = 256;

export function appendToHeading(sink: BlockSink, heading: Heading, text: string): void {
  const heldAndNew = heading.held + text;
  const end = headingTextLength(heldAndNew, heading.empty);
  heading.held = heldAndNew.slice(end);
  if (end === 0) return;
  heading.empty = false;
  sink.append(heading, heldAndNew.slice(0, end));
}

/** Appends a line. Blank lines at the end of indented code are not part of it. */
export function appendToCode(sink: BlockSink, code: Code, line: string): void {
  if (!code.fence && !line.trim()) code.held += `${line}\n`;
  else {
    sink.append(code, code.held + line);
    code.held = '\n';
  }
}

/** Appends text to a paragraph. Text of each line except the first starts with a line feed. */
export function appendToParagraph(sink: BlockSink, paragraph: Paragraph, text: string): void {
  const continuesHeld = paragraph.held !== '' && text[0] !== '\n';
  const mayBeHeader = text[0] === '|' ? !paragraph.text : text.startsWith('\n|');
  if (paragraph.maybeDefinition || continuesHeld) paragraph.held += text;
  else {
    releaseHeld(sink, paragraph);
    if (mayBeHeader) paragraph.held = text;
    else append(sink, paragraph, text);
  }
  if (paragraph.maybeDefinition) readDefinitions(sink, paragraph, false);
  else if (paragraph.held.length > maxHeldHeader) releaseHeld(sink, paragraph);
}

/** Parses the definitions of a complete paragraph, and appends the text that was held back. */
export function endParagraph(sink: BlockSink, paragraph: Paragraph): void {
  if (paragraph.maybeDefinition) readDefinitions(sink, paragraph, true);
  releaseHeld(sink, paragraph);
}

/** Appends the text that was held back. */
function releaseHeld(sink: BlockSink, paragraph: Paragraph): void {
  const { held } = paragraph;
  paragraph.held = '';
  if (held) append(sink, paragraph, held);
}

function append(sink: BlockSink, paragraph: Paragraph, text: string): void {
  const trimmed = paragraph.text ? text : text.replace(/^[ \t\n]+/, '');
  paragraph.text += trimmed;
  if (trimmed) sink.append(paragraph, trimmed);
}

/**
 * Parses the reference definitions at the start of a paragraph.
 *
 * @param complete - Whether the paragraph is complete.
 */
function readDefinitions(sink: BlockSink, paragraph: Paragraph, complete: boolean): void {
  while (paragraph.held) {
    const definition = definitionIn(paragraph.held, complete);
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

/**
 * Parses a definition at the start of a text. The lazy-loaded extras parse what follows its label;
 * until they are loaded, a text with a complete label contains no definition.
 */
function definitionIn(text: string, complete: boolean) {
  const label = text[0] === '[' ? scanLabel(text, 0) : undefined;
  const isOpen = label === 'open' || label?.end === text.length;
  if (isOpen) return complete ? undefined : 'open';
  return extras()?.readDefinition(text, complete);
}
