import type { CardBlock, LogEvent } from '@inlay/protocol';
import { blocksOf } from '../runs/blocks-of.ts';
import { autolink, escapeMarkdown } from './markdown.ts';

/** The content of a card as Markdown, without its controls. */
export function cardAsMarkdown(card: LogEvent<'agent.card'>['card']): string {
  const parts = blocksOf(card).map(blockAsMarkdown);
  return [card.title ? `**${escapeMarkdown(card.title)}**` : '', ...parts]
    .filter(Boolean)
    .join('\n\n');
}

function blockAsMarkdown(block: CardBlock): string {
  switch (block.type) {
    case 'text':
    case 'custom':
      return block.text;
    case 'field':
      return `- ${escapeMarkdown(block.label)}`;
    case 'list':
      return block.items
        .map(({ title, text }) =>
          text
            ? `- ${escapeMarkdown(title)}: ${escapeMarkdown(text)}`
            : `- ${escapeMarkdown(title)}`,
        )
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
      return `[${escapeMarkdown(block.caption ?? block.alt)}](${autolink(block.url)})`;
    default:
      return '';
  }
}

type Cell = string | number | null;

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(row).join('\n');
}

function row(cells: readonly Cell[]): string {
  return `| ${cells.map((cell) => escapeMarkdown(String(cell ?? ''))).join(' | ')} |`;
}
