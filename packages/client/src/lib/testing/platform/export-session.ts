import { type ScriptedSession, textIn } from './session.ts';

/** Exports a session: `markdown` of the current branch, or `json` of the whole log. */
export function exportSession(session: ScriptedSession, format: 'markdown' | 'json'): Response {
  const about = session.toObject();
  const name = `conversation-${about.created_at.slice(0, 10)}`;
  const [text, type, ending] =
    format === 'json'
      ? [
          JSON.stringify({ session: about, events: session.log }, null, 2),
          'application/json',
          'json',
        ]
      : [markdownOf(session), 'text/markdown; charset=utf-8', 'md'];
  const disposition = `attachment; filename="${name}.${ending}"`;
  return new Response(text, {
    headers: { 'content-type': type, 'content-disposition': disposition },
  });
}

function markdownOf(session: ScriptedSession): string {
  const { title, agent } = session.toObject();
  const messages = session.currentBranch().flatMap((event) => {
    const who = event.type === 'user.message' ? 'You' : agent.name;
    if (!/^(user|agent)\.message$/.test(event.type)) return [];
    return [`**${who}** · ${event.processed_at}`, textIn(event)];
  });
  return `${[`# ${title ?? agent.name}`, ...messages].join('\n\n')}\n`;
}
