import { type ScriptedSession, textIn } from './session.ts';

/** Exports a session: the current branch as Markdown, or the whole log as JSON. */
export function exportSession(session: ScriptedSession, format: 'markdown' | 'json'): Response {
  const object = session.toObject();
  const name = `conversation-${object.created_at.slice(0, 10)}`;
  const [text, type, extension] =
    format === 'json'
      ? [
          JSON.stringify({ session: object, events: session.log }, null, 2),
          'application/json',
          'json',
        ]
      : [markdownOf(session), 'text/markdown; charset=utf-8', 'md'];
  const disposition = `attachment; filename="${name}.${extension}"`;
  return new Response(text, {
    headers: { 'content-type': type, 'content-disposition': disposition },
  });
}

function markdownOf(session: ScriptedSession): string {
  const { title, agent } = session.toObject();
  const messages = session.currentBranch().flatMap((event) => {
    const sender = event.type === 'user.message' ? 'You' : agent.name;
    if (!/^(user|agent)\.message$/.test(event.type)) return [];
    return [`**${sender}** · ${event.processed_at}`, textIn(event)];
  });
  return `${[`# ${title ?? agent.name}`, ...messages].join('\n\n')}\n`;
}
