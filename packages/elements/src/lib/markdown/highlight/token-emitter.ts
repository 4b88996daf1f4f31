/** Interface that highlight.js calls with the text and scopes of the code in order. */
export interface Emitter {
  addText(text: string): void;
  startScope(scope: string): void;
  endScope(): void;
  openNode(scope: string): void;
  closeNode(): void;
  __addSublanguage(emitter: Emitter, language?: string): void;
  finalize(): void;
  toHTML(): string;
}

/** Kind of a token. The style sheet has a colour for each. */
export type TokenKind =
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'title'
  | 'type'
  | 'addition'
  | 'deletion';

/** A part of the code, from the end of the previous token to `end`. */
export interface Token {
  end: number;
  readonly kind: TokenKind | undefined;
}

/**
 * Token kinds by the first part of a scope's name. Any other scope has the kind of the scope around it,
 * except `subst`, which has none.
 */
const kinds: Readonly<Record<string, TokenKind>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  doctag: 'keyword',
  meta: 'keyword',
  section: 'title',
  string: 'string',
  char: 'string',
  regexp: 'string',
  link: 'string',
  code: 'string',
  symbol: 'number',
  bullet: 'number',
  number: 'number',
  literal: 'number',
  comment: 'comment',
  quote: 'comment',
  title: 'title',
  'selector-id': 'title',
  'selector-class': 'title',
  built_in: 'type',
  type: 'type',
  attr: 'type',
  attribute: 'type',
  property: 'type',
  'template-variable': 'type',
  'selector-attr': 'type',
  'selector-pseudo': 'type',
  addition: 'addition',
  deletion: 'deletion',
};

/** Collects tokens. It replaces the emitter of highlight.js, which generates HTML. */
export class TokenEmitter implements Emitter {
  readonly tokens: Token[] = [];
  readonly #scopes: (TokenKind | undefined)[] = [];

  addText(text: string): void {
    this.#add(text.length, this.#scopes.at(-1));
  }

  startScope(scope: string): void {
    const kind = scope === 'subst' ? undefined : kinds[scope.split('.', 1)[0] ?? ''];
    const inherits = kind === undefined && scope !== 'subst';
    this.#scopes.push(inherits ? this.#scopes.at(-1) : kind);
  }

  endScope(): void {
    this.#scopes.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: Emitter): void {
    if (!(emitter instanceof TokenEmitter)) return;
    let from = 0;
    for (const { end, kind } of emitter.tokens) {
      this.#add(end - from, kind);
      from = end;
    }
  }

  finalize(): void {}

  toHTML(): string {
    return '';
  }

  #add(length: number, kind: TokenKind | undefined): void {
    const last = this.tokens.at(-1);
    if (last && last.kind === kind) last.end += length;
    else if (length > 0) this.tokens.push({ end: (last?.end ?? 0) + length, kind });
  }
}
