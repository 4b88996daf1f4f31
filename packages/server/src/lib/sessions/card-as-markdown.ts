import type { CardBlock, LogEvent } from '@inlay/protocol';
import { blocksOf } from '../cards/blocks-of.ts';

/** A card for reading: what it says, without what could be pressed. */
export function cardAsMarkdown(card: LogEvent<'agent.card'>['card']): string {
  const parts = blocksOf(card).map(blockAsMarkdown);
  return [card.title ? `**${card.title}**` : '', ...parts].filter(Boolean).join('\n\n');
}

function blockAsMarkdown(block: CardBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'field':
      return `- ${block.label}`;
    case 'list':
      return block.items
        .map(({ title, text }) => (text ? `- ${title}: ${text}` : `- ${title}`))
        .join('\n');
    case 'table':
      return table(
        block.columns.map(({ label }) => label),
        block.rows,
      );
    case 'chart':
      return table(
        ['', ...block.series.map(({ label }) => (block.unit ? `${label} (${block.unit})` : label))],
        block.labels.map((label, index) => [
          label,
          ...block.series.map(({ values }) => values[index] ?? null),
        ]),
      );
    case 'image':
      return `[${block.caption ?? block.alt}](${block.url})`;
    default:
      return '';
  }
}

type Cell = string | number | null;

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(row).join('\n');
}

function row(cells: readonly Cell[]): string {
  const texts = cells.map((cell) => String(cell ?? '').replaceAll(/\s*\|\s*/g, ' \\| '));
  return `| ${texts.join(' | ')} |`;
}
