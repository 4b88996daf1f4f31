import { setImmediate } from 'node:timers/promises';
import { type LogEvent, type Session, Session as SessionSchema, textOf } from '@inlay/protocol';
import { Branches } from '@inlay/protocol/branches';
import { withoutCitationMarks } from '@inlay/protocol/citation-marks';
import * as z from 'zod';
import type { Caller } from '../auth/caller.ts';
import { eventForCaller } from '../events/event-for-caller.ts';
import type { Services } from '../services.ts';
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
  /** The content. The log is read while the content is sent, because it may be large. */
  readonly text: AsyncIterable<string>;
}

/** The next events of a log. */
type Page = readonly LogEvent[];

/** Exports a session as JSON with all branches, or its current branch as Markdown. */
export function exportSession(
  services: Pick<Services, 'config' | 'events'>,
  session: Session,
  format: 'markdown' | 'json',
  caller: Pick<Caller, 'kind'>,
): ExportedFile {
  const name = fileName(session);
  const readPages = () => pagesOf(services, session.id);
  if (format === 'json') {
    return {
      name: `${name}.json`,
      type: 'application/json',
      text: toJson(session, readPages(), caller),
    };
  }
  return { name: `${name}.md`, type: 'text/markdown', text: toMarkdown(session, readPages) };
}

async function* pagesOf(
  { config, events }: Pick<Services, 'config' | 'events'>,
  sessionId: string,
): AsyncGenerator<Page> {
  const bytes = config.limits.request.replay_page_bytes;
  for (let after = 0; ; ) {
    const page = await events.readPage(sessionId, { after, bytes });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.seq;
    // The embedded store works synchronously: other requests are handled between two pages.
    await setImmediate();
  }
}

async function* toJson(
  session: Session,
  pages: AsyncIterable<Page>,
  caller: Pick<Caller, 'kind'>,
): AsyncGenerator<string> {
  const end = ']\n}';
  yield JSON.stringify({ session, events: [] }, null, 2).slice(0, -end.length);
  let separator = '\n';
  for await (const page of pages) {
    yield separator +
      page.map((event) => JSON.stringify(eventForCaller(event, caller))).join(',\n');
    separator = ',\n';
  }
  yield end;
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

async function* toMarkdown(
  session: Session,
  readPages: () => AsyncIterable<Page>,
): AsyncGenerator<string> {
  // The log is read twice, because its last messages determine the current branch.
  const branches = new Branches();
  let lastSeq = 0;
  for await (const page of readPages()) {
    for (const event of page) branches.add(event);
    lastSeq = page.at(-1)?.seq ?? lastSeq;
  }
  const path = branches.pathTo(branches.head);
  const isExported = (event: LogEvent) => {
    const owner = branches.ownerOf(event);
    return event.seq <= lastSeq && (owner === null || path.has(owner));
  };
  const title = escapeMarkdown(session.title ?? session.agent.name);
  yield `# ${title}\n\n${session.created_at} · ${session.id}\n`;
  for await (const page of readPages()) {
    yield page
      .filter(isExported)
      .map((event) => messageAsMarkdown(event, session.agent.name))
      .join('');
  }
}

function messageAsMarkdown(event: LogEvent, agentName: string): string {
  const message = messageOf(event, agentName);
  if (!message) return '';
  const head = `**${escapeMarkdown(message.author)}** · ${event.processed_at}`;
  return `\n${head}\n\n${blockQuote(message.text)}\n`;
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
    case 'session.error':
      // A failure that was repaired by another attempt does not concern the reader.
      if (event.error.retry_status.type === 'retrying') return null;
      return { author: agentName, text: `*${escapeMarkdown(event.error.message)}*` };
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
    withoutCitationMarks(textOf(content)),
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
