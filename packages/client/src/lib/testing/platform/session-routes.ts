import {
  type FeedbackRequest,
  FeedbackRequest as FeedbackSchema,
  limits,
  UpdateSessionRequest,
} from '@inlay/protocol';
import { requireFeature } from './features.ts';
import { invalidField } from './problem-error.ts';
import { jsonResponse, pageOf, readBody, readLimit, type UserRequest } from './request.ts';
import { type ScriptedSession, textIn } from './session.ts';
import { toIsoString } from './tokens.ts';

/** Routes of sessions, except the routes of their events. */
export const sessionRoutes: Record<string, (call: UserRequest) => Response> = {
  'GET /sessions': ({ request, parts, issuance }) => {
    const { query } = request;
    const archived = query.get('archived') ?? (query.get('include_archived') ? 'any' : 'false');
    if (!['true', 'false', 'any'].includes(archived)) {
      throw invalidField('/query/archived', 'must be true, false or any');
    }
    const searchText = (query.get('query') ?? '').trim().toLowerCase();
    const data = parts.sessions.all
      .filter(({ user }) => user === issuance.user)
      .filter(
        ({ archivedAt }) => archived === 'any' || (archivedAt !== null) === (archived === 'true'),
      )
      .filter((session) => contains(session, searchText))
      .reverse()
      .sort((a, b) => b.activeAt - a.activeAt)
      .map((session) => session.toObject());
    const from = data.findIndex(({ id }) => id === query.get('page')) + 1;
    return jsonResponse(pageOf(data.slice(from), readLimit(request, limits.page), ({ id }) => id));
  },

  'GET /sessions/{id}': (call) => jsonResponse(ownSession(call).toObject()),

  'POST /sessions/{id}': (call) => {
    const session = ownSession(call);
    const { title, metadata } = readBody(call.request, UpdateSessionRequest);
    const merged = Object.entries({ ...session.metadata, ...metadata });
    if (title !== undefined) session.title = title;
    session.metadata = Object.fromEntries(
      merged.flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
    );
    session.append({
      type: 'session.updated',
      title: session.title,
      metadata: session.metadata,
    });
    return jsonResponse(session.toObject());
  },

  'DELETE /sessions/{id}': (call) => {
    const session = ownSession(call);
    requireFeature(call.parts.settings, session.user, 'delete');
    call.parts.sessions.delete(session);
    return jsonResponse({ type: 'session_deleted', id: session.id });
  },

  'POST /sessions/{id}/archive': (call) => {
    const session = ownSession(call);
    if (session.archivedAt === null) {
      session.archivedAt = call.parts.clock.now();
      session.append({ type: 'session.updated', archived_at: toIsoString(session.archivedAt) });
      if (session.running) session.input({ type: 'user.interrupt' });
    }
    return jsonResponse(session.toObject());
  },

  'POST /sessions/{id}/unarchive': (call) => {
    const session = ownSession(call);
    if (session.archivedAt !== null) {
      session.archivedAt = null;
      session.append({ type: 'session.updated', archived_at: null });
    }
    return jsonResponse(session.toObject());
  },

  'GET /sessions/{id}/export': (call) => {
    const session = ownSession(call);
    requireFeature(call.parts.settings, session.user, 'export');
    const format = call.request.query.get('format') ?? 'markdown';
    if (format !== 'markdown' && format !== 'json') {
      throw invalidField('/query/format', 'must be markdown or json');
    }
    return exportSession(session, format);
  },

  'GET /sessions/{id}/feedback': (call) =>
    jsonResponse({ data: [...ownSession(call).feedback.values()] }),

  'POST /sessions/{id}/feedback': (call) => {
    const session = ownSession(call);
    const request: FeedbackRequest = readBody(call.request, FeedbackSchema);
    const { event_id, rating, comment = null, reasons = [] } = request;
    const exists = session.log.some(({ id, type }) => id === event_id && type === 'agent.message');
    if (!exists) {
      throw invalidField('/event_id', 'must be the id of an `agent.message` of this session');
    }
    const created_at = toIsoString(call.parts.clock.now());
    const target = { type: 'feedback' as const, session_id: session.id, event_id };
    const feedback = { ...target, rating, reasons: [...new Set(reasons)], comment, created_at };
    session.feedback.set(event_id, feedback);
    return jsonResponse(feedback);
  },
};

/** Returns the session of a request. Throws if it is not the user's. */
export function ownSession({ request, parts, issuance }: UserRequest): ScriptedSession {
  return parts.sessions.findOwned(issuance.user, request.id);
}

/** Whether a text is in the title or in a message. */
function contains(session: ScriptedSession, searchText: string): boolean {
  if (searchText === '' || session.title?.toLowerCase().includes(searchText)) return true;
  return session.log.some(
    (event) =>
      /^(user|agent)\.message$/.test(event.type) &&
      textIn(event).toLowerCase().includes(searchText),
  );
}

/** Exports a session: the current branch as Markdown, or the whole log as JSON. */
function exportSession(session: ScriptedSession, format: 'markdown' | 'json'): Response {
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
