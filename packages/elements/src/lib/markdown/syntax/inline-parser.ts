import { findAutolink } from './autolinks.ts';
import type { Reference } from './blocks.ts';
import { type Delimiter, DelimiterStack, flanking } from './emphasis.ts';
import { entity, entityText } from './entities.ts';
import { depthBetween, type Inline, InlineList, plainText } from './inlines.ts';
import { maxInlineDepth, maxInlineSpan, maxLabel } from './limits.ts';
import { normalizeLabel, scanLabel } from './link-syntax.ts';
import { scanLinkTail } from './link-tail.ts';

export interface InlineOptions {
  /** The text is whole. Otherwise more may follow, and half-open syntax at the end is shown kindly. */
  readonly complete: boolean;
  /** Looks up a normalised reference label. */
  readonly reference: (label: string) => Reference | undefined;
}

export interface InlineResult {
  /** What was read, as a linked list. */
  readonly first: Inline | undefined;
  /** The last node that no later text can change, if there is one. */
  readonly settled: Inline | undefined;
  /** Characters of the source up to the end of that node. The next reading starts there. */
  readonly consumed: number;
}

interface Bracket {
  readonly node: Inline;
  readonly position: number;
  readonly image: boolean;
  /** The last delimiter before the bracket. */
  readonly delimiters: Delimiter | undefined;
  readonly previous: Bracket | undefined;
  /** A link was made of what is inside: the bracket can't be one too. */
  spent: boolean;
  /** Another bracket opened after it, so its text is not a label. */
  nested: boolean;
}

/** Distance between two places where the parser asks whether what it has read is settled. */
const settleEvery = 24;

/** A half-open bracket this far back is a bracket rather than a link on its way. */
const maxHalfLink = 200;

const ordinary = /[^\\`*_~[\]!<&\n]+/y;
const angleLink = /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d.-]+))>/iy;
const tag = /<(?:\/?[a-z][a-z\d-]*(?:[\s/][^<>]{0,1024})?|[!?][^<>]{0,1024})>/iy;
const halfTag = /<(?:\/?[a-z][a-z\d-]*(?:[\s/][^<>]{0,1024})?|[!?][^<>]{0,1024})$/iy;
const escapable = /[!-/:-@[-`{-~]/;

/** Reads inline content: emphasis, code, links, pictures. Every scan is bounded (see `limits.ts`). */
export function parseInlines(source: string, options: InlineOptions): InlineResult {
  return new InlineParser(source, options).parse();
}

class InlineParser {
  readonly #source: string;
  readonly #options: InlineOptions;
  readonly #list = new InlineList();
  readonly #delimiters = new DelimiterStack(this.#list);
  #brackets: Bracket | undefined;
  #position = 0;
  #settled: Inline | undefined;
  #consumed = 0;
  #asked = 0;

  constructor(source: string, options: InlineOptions) {
    this.#source = source;
    this.#options = options;
  }

  parse(): InlineResult {
    const end = this.#source.length;
    while (this.#position < end) this.#step(this.#source[this.#position] ?? '');
    if (this.#options.complete) this.#trimEnd();
    else this.#showKindly();
    this.#delimiters.resolve(undefined);
    return { first: this.#list.first, settled: this.#settled, consumed: this.#consumed };
  }

  #step(char: string): void {
    if (char === '\\') this.#readEscape();
    else if (char === '`') this.#readCode();
    else if (char === '*' || char === '_' || char === '~') this.#readDelimiters(char);
    else if (char === '[') this.#openBracket(1);
    else if (char === '!' && this.#source[this.#position + 1] === '[') this.#openBracket(2);
    else if (char === ']') this.#closeBracket();
    else if (char === '<') this.#readAngle();
    else if (char === '&') this.#readEntity();
    else if (char === '\n') this.#readLineEnd();
    else this.#readText(char);
  }

  /** Adds the next `length` characters as they are. */
  #take(length: number): void {
    this.#list.text(this.#source.slice(this.#position, this.#position + length));
    this.#position += length;
  }

  get #unfinished(): boolean {
    return !this.#options.complete;
  }

  #stop(): void {
    this.#position = this.#source.length;
  }

  #readText(char: string): void {
    ordinary.lastIndex = this.#position;
    const from = this.#position;
    const to = ordinary.test(this.#source) ? ordinary.lastIndex : from + char.length;
    this.#settle(from, to);
    const start = this.#position;
    const link = findAutolink(this.#source, start, to);
    if (!link) {
      this.#take(to - start);
      return;
    }
    if (link.start > start) this.#take(link.start - start);
    if (link.end >= this.#source.length && this.#unfinished) {
      this.#take(link.end - link.start);
      return;
    }
    this.#addLink(this.#source.slice(link.start, link.end), link.href);
    this.#position = link.end;
  }

  #addLink(text: string, href: string): void {
    const label: Inline = { kind: 'text', text, depth: 0 };
    this.#list.add({ kind: 'link', text: '', href, first: label, depth: 1 });
  }

  #readEscape(): void {
    const next = this.#source[this.#position + 1];
    if (next === undefined && this.#unfinished) this.#stop();
    else if (next === '\n') {
      this.#position += 1;
      this.#readLineEnd(true);
    } else if (next !== undefined && escapable.test(next)) {
      this.#list.text(next);
      this.#position += 2;
    } else this.#take(1);
  }

  #readCode(): void {
    const source = this.#source;
    const from = this.#position;
    let open = from;
    while (source[open] === '`') open += 1;
    const length = open - from;
    const limit = Math.min(source.length, open + maxInlineSpan);
    for (let at = source.indexOf('`', open); at >= 0 && at < limit; at = source.indexOf('`', at)) {
      let end = at;
      while (source[end] === '`') end += 1;
      if (end - at === length && (end < source.length || !this.#unfinished)) {
        this.#addCode(source.slice(open, at));
        this.#position = end;
        return;
      }
      at = end;
    }
    if (this.#unfinished && limit === source.length) {
      const half = source.slice(open).replace(/`+$/, '');
      if (half.trim()) this.#addCode(half);
      this.#stop();
    } else this.#take(length);
  }

  #addCode(raw: string): void {
    const text = raw.replaceAll('\n', ' ');
    const padded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
    this.#list.add({ kind: 'code', text: padded ? text.slice(1, -1) : text, depth: 0 });
  }

  #readDelimiters(char: string): void {
    const source = this.#source;
    const position = this.#position;
    let end = position;
    while (source[end] === char) end += 1;
    const length = end - position;
    if (this.#unfinished && end === source.length) {
      this.#stop();
      return;
    }
    const before = [...source.slice(Math.max(0, position - 2), position)].at(-1) ?? '';
    const after = String.fromCodePoint(source.codePointAt(end) ?? 32);
    const flanks = flanking(char, before, after);
    const node = this.#list.text(source.slice(position, end));
    this.#position = end;
    if (char === '~' && length > 2) return;
    if (flanks.canOpen || flanks.canClose) {
      this.#delimiters.push({ char, node, position, length, ...flanks });
    }
  }

  #openBracket(length: number): void {
    if (this.#brackets) this.#brackets.nested = true;
    const position = this.#position + length - 1;
    this.#take(length);
    this.#brackets = {
      node: this.#list.last as Inline,
      position,
      image: length === 2,
      delimiters: this.#delimiters.last,
      previous: this.#brackets,
      spent: false,
      nested: false,
    };
  }

  #closeBracket(): void {
    const bracket = this.#brackets;
    const at = this.#position;
    if (!bracket) {
      this.#take(1);
      return;
    }
    if (bracket.spent || at - bracket.position > maxInlineSpan) {
      this.#brackets = bracket.previous;
      this.#take(1);
      return;
    }
    const target = this.#linkTarget(bracket, at);
    if (target === 'open') {
      this.#stop();
      return;
    }
    const depth = target ? depthBetween(bracket.node, undefined) + 1 : 0;
    if (!target || depth > maxInlineDepth) {
      this.#brackets = bracket.previous;
      this.#take(1);
      return;
    }
    this.#delimiters.resolve(bracket.delimiters);
    this.#delimiters.cut(bracket.delimiters);
    this.#wrapLink(bracket, target.value, depth);
    this.#brackets = bracket.previous;
    this.#position = target.end;
    if (!bracket.image) {
      for (let outer = this.#brackets; outer && !outer.spent; outer = outer.previous) {
        if (!outer.image) outer.spent = true;
      }
    }
  }

  #linkTarget(
    bracket: Bracket,
    at: number,
  ): { end: number; value: Reference } | 'open' | undefined {
    const source = this.#source;
    const after = source[at + 1];
    if (after === undefined && this.#unfinished) return 'open';
    if (after === '(') {
      const tail = scanLinkTail(source, at + 1);
      if (tail === 'open' && this.#unfinished) return 'open';
      if (tail && tail !== 'open') return tail;
    }
    let label = source.slice(bracket.position + 1, at);
    let end = at + 1;
    if (after === '[') {
      const scanned = source[at + 2] === ']' ? undefined : scanLabel(source, at + 1);
      if ((scanned === 'open' || source[at + 2] === undefined) && this.#unfinished) return 'open';
      if (scanned && scanned !== 'open') {
        label = scanned.value;
        end = scanned.end;
        const reference = this.#options.reference(normalizeLabel(label));
        return reference && { end, value: reference };
      }
      if (source[at + 2] === ']') end = at + 3;
    }
    if (bracket.nested || label.length > maxLabel || !label.trim()) return undefined;
    const reference = this.#options.reference(normalizeLabel(label));
    return reference && { end, value: reference };
  }

  #wrapLink(bracket: Bracket, target: Reference, depth: number): void {
    const { node } = bracket;
    const { href, title } = target;
    node.text = '';
    if (bracket.image) {
      const image: Inline = { kind: 'image', text: plainText(node.next), href, title, depth: 0 };
      this.#list.wrap(node, undefined, image);
      image.first = undefined;
    } else {
      this.#list.wrap(node, undefined, { kind: 'link', text: '', href, title, depth });
    }
  }

  #readAngle(): void {
    angleLink.lastIndex = this.#position;
    const link = angleLink.exec(this.#source);
    if (link) {
      const text = link[1] ?? link[2] ?? '';
      this.#addLink(text, link[2] ? `mailto:${text}` : text);
      this.#position = angleLink.lastIndex;
      return;
    }
    tag.lastIndex = this.#position;
    const html = tag.exec(this.#source)?.[0];
    if (html) {
      if (/^<br *\/?>$/i.test(html)) this.#list.add({ kind: 'break', text: '', depth: 0 });
      else this.#list.text(html);
      this.#position += html.length;
      return;
    }
    halfTag.lastIndex = this.#position;
    if (this.#unfinished && halfTag.test(this.#source)) {
      this.#take(this.#source.length - this.#position);
    } else this.#take(1);
  }

  #readEntity(): void {
    entity.lastIndex = this.#position;
    const match = entity.exec(this.#source);
    const text = match && entityText(match[1], match[2], match[3]);
    if (match && text !== undefined) {
      this.#list.text(text ?? '');
      this.#position = entity.lastIndex;
    } else if (
      this.#unfinished &&
      /^&#?[a-z\d]{0,31}$/i.test(this.#source.slice(this.#position, this.#position + 40))
    ) {
      this.#stop();
    } else this.#take(1);
  }

  #readLineEnd(hard = false): void {
    const { last } = this.#list;
    let isBreak = hard;
    if (last?.kind === 'text' && !hard) {
      isBreak = last.text.endsWith('  ');
      last.text = last.text.replace(/[ \t]+$/, '');
    }
    this.#position += 1;
    if (isBreak) this.#list.add({ kind: 'break', text: '', depth: 0 });
    else this.#list.text('\n');
    while (/[ \t]/.test(this.#source[this.#position] ?? '')) this.#position += 1;
  }

  #trimEnd(): void {
    const { last } = this.#list;
    if (last?.kind === 'text') last.text = last.text.replace(/[ \t\n]+$/, '');
  }

  // --- text that is not whole yet --------------------------------------------------------------

  /**
   * Before the plain text from `from` to `to`: if no mark is open, nothing that follows can change
   * what has been read, and the next reading may start at the last word.
   */
  #settle(from: number, to: number): void {
    if (!this.#unfinished || to - this.#asked < settleEvery) return;
    let at = to;
    while (
      at > from &&
      (at === this.#source.length ||
        !/\S/.test(this.#source[at] ?? '') ||
        !/\s/.test(this.#source[at - 1] ?? ''))
    )
      at -= 1;
    if (at === 0 || !/\s/.test(this.#source[at - 1] ?? '')) return;
    this.#asked = to;
    if (this.#hasOpenMark(at)) return;
    if (findAutolink(this.#source, from, at)) return;
    if (at > from) this.#take(at - from);
    this.#settled = this.#list.last;
    this.#consumed = at;
  }

  #hasOpenMark(at: number): boolean {
    const isLive = (position: number) => at - position <= maxInlineSpan;
    if (this.#brackets && isLive(this.#brackets.position)) return true;
    this.#delimiters.resolve(undefined);
    for (let open = this.#delimiters.last; open; open = open.previous) {
      if (!isLive(open.position)) return false;
      if (open.canOpen) return true;
    }
    return false;
  }

  /** Shows half-open marks at the end as what they are about to be, instead of as marks. */
  #showKindly(): void {
    const end = this.#source.length;
    for (let bracket = this.#brackets; bracket; bracket = bracket.previous) {
      if (bracket.spent || end - bracket.position > maxHalfLink) continue;
      bracket.node.text = '';
      if (!bracket.image) continue;
      for (let node = bracket.node.next; node; node = node.next) {
        node.text = '';
        node.first = undefined;
      }
    }
    this.#delimiters.resolve(undefined);
    const open: Delimiter[] = [];
    for (let entry = this.#delimiters.last; entry; entry = entry.previous) {
      if (entry.canOpen && end - entry.position <= maxInlineSpan) open.push(entry);
    }
    for (const { char, count } of open) {
      const node = this.#list.text(char.repeat(count));
      const closer = { char, node, position: end, length: count, canOpen: false, canClose: true };
      this.#delimiters.push(closer);
    }
  }
}
