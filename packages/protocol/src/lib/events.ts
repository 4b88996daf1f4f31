/**
 * The events of a session, server to client, in the order in which a conversation meets them.
 * They are read in two ways: as the log (`GET …/events`) and live (`GET …/events/stream`).
 *
 * The law of compatibility: a reader passes over types and fields that it does not know; a writer
 * never changes what one means.
 */
import * as z from 'zod/mini';
import { Allowance } from './allowances.ts';
import { StarterPrompt } from './config.ts';
import { Mention, ReadContent } from './content.ts';
import { Session } from './sessions.ts';

/** What every event of the log carries. `seq` starts at 1 and strictly increases. */
const logged = { id: z.string(), processed_at: z.string(), seq: z.int() };

const event = <Type extends string, Shape extends z.core.$ZodLooseShape>(
  type: Type,
  shape: Shape,
) => z.looseObject({ type: z.literal(type), ...logged, ...shape });

/** A card as a reader sees it: a block of a type that it does not know is passed over. */
const ReadCard = z.looseObject({ title: z.optional(z.nullable(z.string())), blocks: ReadContent });

const json = z.record(z.string(), z.unknown());

/** The person said something. Appended the moment it arrives, also during a run. */
export const UserMessage = event('user.message', {
  content: ReadContent,
  /**
   * The `user.message` that it follows; null where it is the first of its branch. Left out by older
   * servers: then it follows the one before it in the log. Two that follow the same one are two
   * branches: the person said the one instead of the other. The agent knows only the branch that it
   * answers.
   */
  parent_id: z.optional(z.nullable(z.string())),
  /** The mode that the person chose (see `EmbedConfig.modes`). */
  mode: z.optional(z.nullable(z.string())),
  /** What the text mentions with `@`. */
  mentions: z.optional(z.nullable(z.array(Mention))),
});
/** The person stopped the run. An idle follows. */
export const UserInterrupt = event('user.interrupt', {});
/** The person allowed or denied a tool call. The run goes on. */
export const UserToolConfirmation = event('user.tool_confirmation', {
  tool_use_id: z.string(),
  result: z.string(),
  deny_message: z.optional(z.nullable(z.string())),
  /** What was allowed: the `input_hash` of the call. The server runs nothing else. */
  input_hash: z.optional(z.nullable(z.string())),
});
/** The host page answered a `agent.custom_tool_use`. The run goes on. */
export const UserCustomToolResult = event('user.custom_tool_result', {
  custom_tool_use_id: z.string(),
  content: z.optional(ReadContent),
  is_error: z.optional(z.nullable(z.boolean())),
});
/** The agent answered: the whole text, under the id that its deltas bore. */
export const AgentMessage = event('agent.message', {
  content: ReadContent,
  /** Set where the person stopped the answer, or the model failed in the middle of it. */
  incomplete: z.optional(z.nullable(z.enum(['interrupted', 'failed']))),
});
/** The agent thought: the whole text, under the id that its deltas bore. */
export const AgentThinking = event('agent.thinking', { content: z.optional(ReadContent) });
const call = {
  name: z.string(),
  input: json,
  /** `ask`: the user must confirm the call before it runs. `allow`, or left out: it runs at once. */
  evaluated_permission: z.optional(z.string()),
  /** What will happen, in plain words, as the tool itself says it. */
  explanation: z.optional(z.nullable(z.string())),
  /** SHA-256 of name and arguments, in hex: what a confirmation allows. */
  input_hash: z.optional(z.nullable(z.string())),
};
/** The agent calls a tool of the server. */
export const AgentToolUse = event('agent.tool_use', call);
/** A tool of the server answered, or a call that needed the user's approval did not get it. */
export const AgentToolResult = event('agent.tool_result', {
  tool_use_id: z.string(),
  content: z.optional(ReadContent),
  is_error: z.optional(z.nullable(z.boolean())),
});
/**
 * The agent calls a tool that the host page runs. An idle that requires action follows. With
 * `evaluated_permission: 'ask'`, a `user.custom_tool_result` is refused with
 * `TOOL_CONFIRMATION_REQUIRED` until a `user.tool_confirmation` has allowed the call.
 */
export const AgentCustomToolUse = event('agent.custom_tool_use', call);
/** The agent shows a card. The run goes on. */
export const AgentCard = event('agent.card', { card: ReadCard });
/** The person pressed a button of a card, or chose an item of its list. A run begins. */
export const UserCardAction = event('user.card_action', {
  card_id: z.string(),
  action: z.string(),
  values: z.optional(z.record(z.string(), z.unknown())),
  /**
   * The `user.message` whose branch it goes on with, and what comes of it too. Where the card stands
   * in another branch than the log was on, the log goes back to that one.
   */
  parent_id: z.optional(z.nullable(z.string())),
});
/** What the person may want to say next. It stands before the idle that ends the run. */
export const AgentSuggestions = event('agent.suggestions', { prompts: z.array(StarterPrompt) });
/** A run began. */
export const SessionStatusRunning = event('session.status_running', {});

/** Why a run ended. */
export const StopReason = z.looseObject({
  /** `end_turn`, `requires_action`, `budget_reached`, `retries_exhausted`; others may come. */
  type: z.string(),
  /** With `requires_action`: the calls that wait. */
  event_ids: z.optional(z.array(z.string())),
});
export type StopReason = z.infer<typeof StopReason>;

/** A run ended. Nothing more comes until the person acts. */
export const SessionStatusIdle = event('session.status_idle', {
  stop_reason: StopReason,
  /** What the person has used up of what they may, once the run has ended. */
  allowances: z.optional(z.array(Allowance)),
});
/** The process of a run died; another takes the run up. What was said half is gone. */
export const SessionStatusRescheduled = event('session.status_rescheduled', {});
/** The session is over for good. */
export const SessionStatusTerminated = event('session.status_terminated', {
  /** Why, in words for the person. */
  reason: z.optional(z.nullable(z.string())),
});
/** Title or metadata changed. */
export const SessionUpdated = event('session.updated', {
  title: z.optional(z.nullable(z.string())),
  metadata: z.optional(z.record(z.string(), z.string())),
  archived_at: z.optional(z.nullable(z.string())),
});
/** The session was deleted. Nothing follows, and the stream ends. */
export const SessionDeleted = event('session.deleted', {});

export const SessionErrorDetail = z.looseObject({
  /** For example `model_request_failed_error`, `billing_error`, `embed_token_error`. */
  type: z.string(),
  code: z.optional(z.string()),
  message: z.string(),
  /** `retrying`, `exhausted` or `terminal`. */
  retry_status: z.looseObject({ type: z.string() }),
});
export type SessionErrorDetail = z.infer<typeof SessionErrorDetail>;

/** Something in a run failed. Whether it is tried again stands in `retry_status`. */
export const SessionError = event('session.error', { error: SessionErrorDetail });
/** A model was asked. */
export const SpanModelRequestStart = event('span.model_request_start', {});
/** A model answered or failed. */
export const SpanModelRequestEnd = event('span.model_request_end', {
  model_request_start_id: z.string(),
  is_error: z.nullable(z.boolean()),
  model_usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
});

/** Every type of the log, by name. The one table that a new event type joins. */
export const logEvents = {
  'user.message': UserMessage,
  'user.interrupt': UserInterrupt,
  'user.tool_confirmation': UserToolConfirmation,
  'user.custom_tool_result': UserCustomToolResult,
  'user.card_action': UserCardAction,
  'agent.message': AgentMessage,
  'agent.thinking': AgentThinking,
  'agent.tool_use': AgentToolUse,
  'agent.tool_result': AgentToolResult,
  'agent.custom_tool_use': AgentCustomToolUse,
  'agent.card': AgentCard,
  'agent.suggestions': AgentSuggestions,
  'session.status_running': SessionStatusRunning,
  'session.status_idle': SessionStatusIdle,
  'session.status_rescheduled': SessionStatusRescheduled,
  'session.status_terminated': SessionStatusTerminated,
  'session.updated': SessionUpdated,
  'session.deleted': SessionDeleted,
  'session.error': SessionError,
  'span.model_request_start': SpanModelRequestStart,
  'span.model_request_end': SpanModelRequestEnd,
} as const;

export type LogEventType = keyof typeof logEvents;
/** An event of the log, by its type: `LogEvent<'agent.message'>`; without one, any of them. */
export type LogEvent<Type extends LogEventType = LogEventType> = {
  [T in Type]: z.infer<(typeof logEvents)[T]>;
}[Type];

/** First on a stream that a `POST /sessions` answers with. Without a `seq`: it is not in the log. */
export const SessionCreated = z.looseObject({
  type: z.literal('session.created'),
  id: z.string(),
  processed_at: z.string(),
  session: Session,
});
/** An event is being produced. For an id that is known already, its preview starts again. */
export const EventStart = z.looseObject({
  type: z.literal('event_start'),
  event: z.looseObject({ id: z.string(), type: z.string() }),
});
/** A fragment of an event that is being produced. */
export const EventDelta = z.looseObject({
  type: z.literal('event_delta'),
  event_id: z.string(),
  delta: z.looseObject({
    type: z.literal('content_delta'),
    /** Which content block it belongs to. */
    index: z.int(),
    content: z.looseObject({ type: z.literal('text'), text: z.string() }),
  }),
});
/**
 * The token that opened this stream ended, and so does the stream. It belongs to the connection,
 * not to the log, and so bears no `seq` (service reference, section 6.3).
 */
export const StreamError = z.looseObject({
  type: z.literal('session.error'),
  id: z.string(),
  processed_at: z.string(),
  error: SessionErrorDetail,
});

/** Every type that only a stream carries, by name. */
export const liveEvents = {
  'session.created': SessionCreated,
  event_start: EventStart,
  event_delta: EventDelta,
} as const;

export type LiveEventType = keyof typeof liveEvents;
export type LiveEvent<Type extends LiveEventType = LiveEventType> = {
  [T in Type]: z.infer<(typeof liveEvents)[T]>;
}[Type];
export type StreamError = z.infer<typeof StreamError>;

/** Types whose fragments a stream sends to readers that ask with `event_deltas[]`. */
export const deltaTypes = ['agent.message', 'agent.thinking'] as const;
export type DeltaType = (typeof deltaTypes)[number];
