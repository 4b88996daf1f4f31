import {
  AnonymousTokenRequest,
  CreateSessionRequest,
  ExchangeRequest,
  FeedbackRequest,
  limits,
  parseStreamId,
  SendEventsRequest,
  type StreamCheckMessage,
  streamCheck,
  UpdateSessionRequest,
  type UserEventInput,
} from '@inlay/protocol';
import { readEmbedConfig } from './embed-config.ts';
import { EventStream } from './event-stream.ts';
import { readLog } from './log-page.ts';
import type { PlatformParts } from './parts.ts';
import { invalidField, Refusal } from './refusal.ts';
import { json, type PlatformRequest, pageOf, readBody, readLimit } from './request.ts';
import type { EventDraft, ScriptedSession } from './session.ts';
import { type Issuance, iso } from './tokens.ts';

/** Who asks, about which session. */
interface Call {
  readonly request: PlatformRequest;
  readonly parts: PlatformParts;
  readonly issuance: Issuance;
}

type Answer = Response | Promise<Response>;

/** What needs no token. */
export const publicRoutes: Record<
  string,
  (request: PlatformRequest, parts: PlatformParts) => Answer
> = {
  'POST /embed/exchange': (request, { tokens }) =>
    json(tokens.exchange(readBody(request, ExchangeRequest).code)),

  'POST /embed_tokens/anonymous': (request, { tokens, settings }) => {
    const { publishable_key: key, visitor_secret } = readBody(request, AnonymousTokenRequest);
    if (!settings.publishableKeys.includes(key)) {
      throw new Refusal('AUTHENTICATION_ERROR', { detail: 'This publishable key is not known.' });
    }
    const { user, secret } = tokens.visitor(visitor_secret);
    const { token, expires_at } = tokens.issue(user, { anonymous: true });
    return json({ token, expires_at, ...(secret !== null && { visitor_secret: secret }) });
  },
};

/** What an end user may ask. */
export const userRoutes: Record<string, (call: Call) => Answer> = {
  'GET /embed/config': ({ parts, issuance }) => json(readEmbedConfig(parts, issuance)),

  'GET /embed/stream_check': (call) => {
    const stream = openStream(call);
    const say = (n: number) => {
      const message: StreamCheckMessage = { type: 'stream_check', n };
      stream.event(message);
      if (n === streamCheck.messages) stream.end();
      else timer = call.parts.clock.setTimeout(() => say(n + 1), streamCheck.intervalMs);
    };
    let timer: unknown;
    say(1);
    stream.onClose(() => call.parts.clock.clearTimeout(timer));
    return stream.response;
  },

  'POST /sessions': (call) => {
    const { request, parts, issuance } = call;
    const body = readBody(request, CreateSessionRequest);
    const inputs = body.initial_events ?? [];
    const { user, budgetCents } = issuance;
    const made = parts.sessions.once(`user:${user}`, request.key, body, () => {
      if (inputs.length > 0 && budgetCents === 0) throw new Refusal('EMBED_BUDGET_EXCEEDED');
      const { title = null, metadata = {} } = body;
      const session = parts.sessions.create({ user, title, metadata, budgetCents });
      const answer = session.toObject();
      if (inputs.length > 0) session.input(...inputs.map(toDraft));
      return { session, answer };
    });
    if (!request.headers.get('accept')?.includes('text/event-stream')) return json(made.answer);
    const stream = openStream(call);
    const id = parts.ids.next('evt_created_');
    const processed_at = iso(parts.clock.now());
    const created = { type: 'session.created', id, processed_at, session: made.answer };
    stream.event(created);
    stream.onClose(made.session.join(stream, 0));
    return stream.response;
  },

  'GET /sessions': ({ request, parts, issuance }) => {
    const own = parts.sessions.all.filter(
      ({ user, archivedAt }) =>
        user === issuance.user &&
        (archivedAt === null || request.query.get('include_archived') === 'true'),
    );
    const data = own.reverse().map((session) => session.toObject());
    const from = data.findIndex(({ id }) => id === request.query.get('page')) + 1;
    return json(pageOf(data.slice(from), readLimit(request, limits.page), ({ id }) => id));
  },

  'GET /sessions/{id}': (call) => json(own(call).toObject()),

  'POST /sessions/{id}': (call) => {
    const session = own(call);
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
    return json(session.toObject());
  },

  'DELETE /sessions/{id}': (call) => {
    const session = own(call);
    call.parts.sessions.delete(session);
    return json({ type: 'session_deleted', id: session.id });
  },

  'POST /sessions/{id}/archive': (call) => {
    const session = own(call);
    if (session.archivedAt === null) {
      session.archivedAt = call.parts.clock.now();
      session.append({ type: 'session.updated', archived_at: iso(session.archivedAt) });
      if (session.running) session.input({ type: 'user.interrupt' });
    }
    return json(session.toObject());
  },

  'GET /sessions/{id}/events': (call) => readLog(own(call), call),

  'POST /sessions/{id}/events': (call) => {
    const session = own(call);
    const { request, parts } = call;
    const { events } = readBody(request, SendEventsRequest);
    const data = parts.sessions.once(`session:${session.id}`, request.key, events, () => {
      const runner = parts.sessions.runner(session);
      for (const [at, event] of events.entries()) runner.check(event, at);
      if (events.some(({ type }) => type === 'user.message')) assertBudget(session);
      if (session.archivedAt !== null) {
        throw new Refusal('CONFLICT', { detail: 'This session takes no more events.' });
      }
      return session.input(...events.map(toDraft));
    });
    return json({ data });
  },

  'GET /sessions/{id}/events/stream': (call) => {
    const session = own(call);
    const stream = openStream(call);
    const lastSeq = session.log.length;
    const asked = call.request.headers.get('last-event-id');
    const seq = asked === null ? lastSeq : (parseStreamId(asked)?.seq ?? 0);
    // An id that this log never had replays everything.
    stream.onClose(session.join(stream, seq > lastSeq ? 0 : seq));
    return stream.response;
  },

  'POST /sessions/{id}/feedback': (call) => {
    const session = own(call);
    const { event_id, rating, comment = null } = readBody(call.request, FeedbackRequest);
    const rated = session.log.some(({ id, type }) => id === event_id && type === 'agent.message');
    if (!rated) {
      throw invalidField('/event_id', 'must be the id of an `agent.message` of this session');
    }
    const created_at = iso(call.parts.clock.now());
    return json({
      type: 'feedback',
      session_id: session.id,
      event_id,
      rating,
      comment,
      created_at,
    });
  },
};

function own({ request, parts, issuance }: Call): ScriptedSession {
  return parts.sessions.own(issuance.user, request.sessionId);
}

function assertBudget(session: ScriptedSession): void {
  if (session.overBudget) throw new Refusal('EMBED_BUDGET_EXCEEDED');
}

function openStream({ request, parts, issuance }: Call): EventStream {
  const { query, signal } = request;
  const deltas = [...query.getAll('event_deltas[]'), ...query.getAll('event_deltas')];
  return new EventStream(parts, { issuance, signal, deltas });
}

/** Only the fields that are known, as the platform writes them down. */
function toDraft(input: UserEventInput): EventDraft {
  switch (input.type) {
    case 'user.tool_confirmation': {
      const { type, tool_use_id, result, deny_message } = input;
      return { type, tool_use_id, result, ...(deny_message != null && { deny_message }) };
    }
    case 'user.custom_tool_result': {
      const { type, custom_tool_use_id, content = [], is_error } = input;
      return { type, custom_tool_use_id, content, is_error: is_error === true };
    }
    case 'user.message':
      return { type: input.type, content: input.content };
    default:
      return { type: input.type };
  }
}
