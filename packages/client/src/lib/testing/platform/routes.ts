import {
  AnonymousTokenRequest,
  CreateSessionRequest,
  ExchangeRequest,
  GiveConsentRequest,
  parseStreamId,
  SendEventsRequest,
  type StreamCheckMessage,
  streamCheck,
  VisitorClaimRequest,
} from '@inlay/protocol';
import { readEmbedConfig } from './embed-config.ts';
import { EventStream } from './event-stream.ts';
import { requireFeature } from './features.ts';
import { logInputs } from './inputs.ts';
import { readLog } from './log-page.ts';
import type { PlatformParts } from './platform-parts.ts';
import { ProblemError } from './problem-error.ts';
import { jsonResponse, type PlatformRequest, readBody, type UserRequest } from './request.ts';
import type { ScriptedSession } from './session.ts';
import { ownSession, sessionRoutes } from './session-routes.ts';
import { configFor } from './settings.ts';
import { toIsoString } from './tokens.ts';

type RouteResult = Response | Promise<Response>;

/** Routes without a token. */
export const publicRoutes: Record<
  string,
  (request: PlatformRequest, parts: PlatformParts) => RouteResult
> = {
  'POST /embed/exchange': (request, { tokens }) =>
    jsonResponse(tokens.exchange(readBody(request, ExchangeRequest).code)),

  'POST /embed_tokens/anonymous': (request, { tokens, settings }) => {
    const { publishable_key: key, visitor_secret } = readBody(request, AnonymousTokenRequest);
    if (!settings.publishableKeys.includes(key)) {
      throw new ProblemError('AUTHENTICATION_ERROR', {
        detail: 'This publishable key is not known.',
      });
    }
    const { user, secret } = tokens.visitor(visitor_secret);
    const { token, expires_at } = tokens.issue(user, { anonymous: true });
    return jsonResponse({ token, expires_at, ...(secret !== null && { visitor_secret: secret }) });
  },
};

/** Routes that need the token of an end user. */
export const userRoutes: Record<string, (call: UserRequest) => RouteResult> = {
  'GET /embed/config': ({ parts, issuance }) => jsonResponse(readEmbedConfig(parts, issuance)),

  'GET /embed/stream_check': (call) => {
    const stream = openStream(call);
    const send = (n: number) => {
      const message: StreamCheckMessage = { type: 'stream_check', n };
      stream.event(message);
      if (n === streamCheck.messages) stream.end();
      else timer = call.parts.clock.setTimeout(() => send(n + 1), streamCheck.intervalMs);
    };
    let timer: unknown;
    send(1);
    stream.onClose(() => call.parts.clock.clearTimeout(timer));
    return stream.response;
  },

  'POST /sessions': (call) => {
    const { request, parts, issuance } = call;
    const body = readBody(request, CreateSessionRequest);
    const inputs = body.initial_events ?? [];
    const { user, budgetCents } = issuance;
    const created = parts.sessions.once(`user:${user}`, request.key, body, () => {
      if (inputs.length > 0 && budgetCents === 0) throw new ProblemError('EMBED_BUDGET_EXCEEDED');
      const { title = null, metadata = {} } = body;
      const session = parts.sessions.create({ user, title, metadata, budgetCents });
      const object = session.toObject();
      if (inputs.length > 0) logInputs(parts, session, inputs, '/initial_events');
      return { session, object };
    });
    if (!request.headers.get('accept')?.includes('text/event-stream'))
      return jsonResponse(created.object);
    const stream = openStream(call);
    const id = parts.ids.next('evt_created_');
    const processed_at = toIsoString(parts.clock.now());
    const event = { type: 'session.created', id, processed_at, session: created.object };
    stream.event(event);
    stream.onClose(created.session.addReader(stream, 0));
    return stream.response;
  },

  'GET /sessions/{id}/events': (call) => readLog(ownSession(call), call),

  'POST /sessions/{id}/events': (call) => {
    const session = ownSession(call);
    const { request, parts } = call;
    const { events } = readBody(request, SendEventsRequest);
    const data = parts.sessions.once(`session:${session.id}`, request.key, events, () => {
      if (session.terminated) {
        throw new ProblemError('CONFLICT', {
          detail: 'This conversation has ended. Start a new one.',
        });
      }
      if (session.archivedAt !== null) {
        throw new ProblemError('CONFLICT', { detail: 'This session accepts no more events.' });
      }
      if (events.some(({ type }) => /^user\.(message|card_action)$/.test(type))) {
        assertBudget(session);
      }
      return logInputs(parts, session, events, '/events');
    });
    return jsonResponse({ data });
  },

  'GET /sessions/{id}/events/stream': (call) => {
    const session = ownSession(call);
    const stream = openStream(call);
    const lastSeq = session.log.length;
    const lastEventId = call.request.headers.get('last-event-id');
    const seq = lastEventId === null ? lastSeq : (parseStreamId(lastEventId)?.seq ?? 0);
    // An unknown id replays the whole log.
    stream.onClose(session.addReader(stream, seq > lastSeq ? 0 : seq));
    return stream.response;
  },

  'POST /files': ({ request, parts, issuance }) =>
    jsonResponse(parts.files.add(parts.settings, issuance.user, request.form)),

  'GET /files/{id}/content': ({ request, parts, issuance }) =>
    parts.files.content(issuance.user, request.id),

  'POST /embed/consents': ({ request, parts, issuance }) => {
    const given = readBody(request, GiveConsentRequest);
    const { consent } = configFor(parts.settings, issuance.user);
    if (consent?.text_sha256 !== given.text_sha256) throw new ProblemError('VALIDATION_ERROR');
    const given_at = toIsoString(parts.clock.now());
    return jsonResponse({ type: 'consent', id: 'con_1', text: consent.text, ...given, given_at });
  },

  'POST /embed/forget_me': ({ parts, issuance }) => {
    const { user } = issuance;
    requireFeature(parts.settings, user, 'forget_me');
    const sessions = parts.sessions.deleteAll(user);
    const files = parts.files.deleteAll(user);
    parts.tokens.forget(user);
    return jsonResponse({ type: 'forgotten', external_user_id: user, sessions, files });
  },

  'POST /embed/claim': ({ request, parts, issuance }) => {
    const { user } = issuance;
    const { visitor_secret, dry_run = false } = readBody(request, VisitorClaimRequest);
    if (issuance.anonymous) throw new ProblemError('EMBED_FEATURE_DISABLED');
    requireFeature(parts.settings, user, 'visitor_claim');
    const visitor = parts.tokens.claim(visitor_secret, user, dry_run);
    const moved = parts.sessions.all.filter((session) => session.user === visitor);
    if (!dry_run) for (const session of moved) session.user = user;
    const sessions = moved.filter(({ log }) => log.length > 0).length;
    return jsonResponse({ type: 'visitor_claim', external_user_id: user, sessions });
  },

  ...sessionRoutes,
};

function assertBudget(session: ScriptedSession): void {
  if (session.overBudget) throw new ProblemError('EMBED_BUDGET_EXCEEDED');
}

function openStream({ request, parts, issuance }: UserRequest): EventStream {
  const { query, signal } = request;
  const deltas = [...query.getAll('event_deltas[]'), ...query.getAll('event_deltas')];
  return new EventStream(parts, { issuance, signal, deltas });
}
