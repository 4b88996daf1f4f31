import type { CardEntry } from '@inlay/client';
import type { CardBlock } from '@inlay/protocol';
import { isRecord } from '@inlay/protocol/shape';
import { withoutHidden } from '../untrusted-text.ts';

type Block = CardEntry['card']['blocks'][number];

const isList = (value: unknown): value is readonly Record<string, unknown>[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);

const isText = (value: unknown) => typeof value === 'string';

const allHave = (value: unknown, ...names: readonly string[]) =>
  isList(value) && value.every((item) => names.every((name) => isText(item[name])));

/**
 * Checks the required properties of each block type. Optional properties are checked when the block is
 * rendered.
 */
const validators: Record<CardBlock['type'], (block: Block) => boolean> = {
  text: ({ text }) => isText(text),
  field: ({ name, label, kind, options = [] }) =>
    isText(name) && isText(label) && isText(kind) && allHave(options, 'value', 'label'),
  buttons: ({ buttons }) => allHave(buttons, 'label'),
  list: ({ items }) => allHave(items, 'title'),
  table: ({ columns, rows }) =>
    allHave(columns, 'label') && Array.isArray(rows) && rows.every(Array.isArray),
  image: ({ url, alt }) => isText(url) && isText(alt),
  chart: ({ labels, series }) =>
    Array.isArray(labels) &&
    labels.every(isText) &&
    allHave(series, 'label') &&
    isList(series) &&
    series.every(({ values }) => Array.isArray(values)),
  custom: ({ name, data, text }) => isText(name) && isRecord(data) && isText(text),
};

function isValid(block: Block): block is Block & CardBlock {
  const check = Object.hasOwn(validators, block.type)
    ? validators[block.type as CardBlock['type']]
    : undefined;
  return check?.(block) ?? false;
}

/** Returns the blocks of a card that this version can render, and skips the others. */
export function blocksOf({ card }: CardEntry): readonly CardBlock[] {
  return card.blocks
    .filter(isValid)
    .map((block) =>
      block.type === 'text' || block.type === 'custom' ? block : withReadableText(block),
    );
}

/**
 * Members that are shown to the user as they are, in contrast to identifiers and URLs. A `value` is the text
 * that a field contains at first; those of options are identifiers, which have none of the characters.
 */
const shownMembers: ReadonlySet<string> = new Set(
  'alt caption label labels placeholder rows text title unit value'.split(' '),
);

/** Levels of a block that contain shown members: the cells of rows are the deepest. */
const maxDepth = 3;

/** Removes characters that reorder text from the shown members of a block. */
function withReadableText<Value>(value: Value, isShown = false, depth = 0): Value {
  if (typeof value === 'string') return (isShown ? withoutHidden(value) : value) as Value;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown) => withReadableText(item, isShown, depth + 1)) as Value;
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withReadableText(member, shownMembers.has(name), depth + 1),
  ]);
  return Object.fromEntries(members) as Value;
}
