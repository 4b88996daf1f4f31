import { type LogEvent, type Session, Session as SessionSchema, textOf } from '@inlay/protocol';
import { currentBranch } from '@inlay/protocol/branches';
import * as z from 'zod';
import { cardAsMarkdown } from './card-as-markdown.ts';
import { autolink, blockQuote, escapeMarkdown } from './markdown.ts';

/** A session as JSON, with all events of all branches. */
export const ExportedSession = z
  .object({
    session: SessionSchema,
    events: z.array(z.looseObject({ type: z.string(), seq: z.int() })),
  })
  .meta({ id: 'ExportedSession' });

/** A file for download. */
export interface ExportedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Exports a session as JSON with all branches, or its current branch as Markdown. */
export function exportSession(
  session: Session,
  log: readonly LogEvent[],
  format: 'markdown' | 'json',
): ExportedFile {
  const name = fileName(session);
  if (format === 'json') {
    const text = JSON.stringify({ session, events: log }, null, 2);
    return { name: `${name}.json`, type: 'application/json', text };
  }
  return { name: `${name}.md`, type: 'text/markdown', text: toMarkdown(session, log) };
}

/** Joins the date and the title in ASCII, which needs no escaping in `content-disposition`. */
function fileName({ title, created_at }: Session): string {
  const slug = (title ?? '')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
  return ['conversation', created_at.slice(0, 10), slug].filter(Boolean).join('-');
}

function toMarkdown(session: Session, log: readonly LogEvent[]): string {
  const title = escapeMarkdown(session.title ?? session.agent.name);
  const parts = currentBranch(log).flatMap((event) => {
    const message = messageOf(event, session.agent.name);
    if (!message) return [];
    return [
      `**${escapeMarkdown(message.author)}** · ${event.processed_at}`,
      blockQuote(message.text),
    ];
  });
  return `${[`# ${title}`, `${session.created_at} · ${session.id}`, ...parts].join('\n\n')}\n`;
}

function messageOf(event: LogEvent, agentName: string): { author: string; text: string } | null {
  switch (event.type) {
    case 'user.message':
      return { author: 'You', text: withAttachments(event.content) };
    case 'user.card_action':
      return { author: 'You', text: cardAnswerAsMarkdown(event) };
    case 'agent.message':
      return { author: agentName, text: withSources(event) };
    case 'agent.card':
      return { author: agentName, text: cardAsMarkdown(event.card) };
    default:
      return null;
  }
}

function withAttachments(content: LogEvent<'user.message'>['content']): string {
  const files = content.filter(({ type }) => type === 'image' || type === 'document').length;
  const note = files > 0 ? `*(${files} ${files === 1 ? 'attachment' : 'attachments'})*` : '';
  return [textOf(content), note].filter(Boolean).join('\n\n');
}

function cardAnswerAsMarkdown({ action, values = {} }: LogEvent<'user.card_action'>): string {
  const lines = Object.entries(values).map(
    ([name, value]) => `- ${escapeMarkdown(name)}: ${escapeMarkdown(String(value))}`,
  );
  return [`*${escapeMarkdown(action)}*`, lines.join('\n')].filter(Boolean).join('\n\n');
}

function withSources({ content, incomplete }: LogEvent<'agent.message'>): string {
  const citations = content.flatMap((block) =>
    Array.isArray(block.citations) ? (block.citations as Citation[]) : [],
  );
  const sources = citations.map(({ title, url }) =>
    url ? `- ${escapeMarkdown(title)}: ${autolink(url)}` : `- ${escapeMarkdown(title)}`,
  );
  return [
    textOf(content),
    incomplete ? '*(not finished)*' : '',
    sources.length > 0 ? `Sources:\n\n${[...new Set(sources)].join('\n')}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

interface Citation {
  readonly title: string;
  readonly url?: string | null;
}
