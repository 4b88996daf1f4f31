/**
 * The events of a session, from server to client, in the order in which they usually occur.
 * Clients read them from the log (`GET …/events`) or live (`GET …/events/stream`).
 *
 * Compatibility rule: readers ignore unknown types and fields; writers never change the meaning of
 * existing ones.
 */
import * as z from 'zod/mini';
import { Allowance } from './allowances.ts';
import { StarterPrompt } from './config.ts';
import { Mention, ReadContent } from './content.ts';
import { Session } from './sessions.ts';

/** Fields that all logged events have. `seq` starts at 1 and strictly increases. */
const loggedFields = { id: z.string(), processed_at: z.string(), seq: z.int() };

const event = <Type extends string, Shape extends z.core.$ZodLooseShape>(
  type: Type,
  shape: Shape,
) => z.looseObject({ type: z.literal(type), ...loggedFields, ...shape });

/** A card, as a client reads it. Blocks of unknown types are accepted. */
const ReadCard = z.looseObject({ title: z.optional(z.nullable(z.string())), blocks: ReadContent });

const jsonObject = z.record(z.string(), z.unknown());

/** A message of the user. Appended as soon as it arrives, even during a run. */
export const UserMessage = event('user.message', {
  content: ReadContent,
  /**
   * Id of the preceding `user.message`; null for the first message of a branch. If absent (older
   * servers), the message follows the previous one in the log. Messages with the same parent are
   * alternatives (branches); the agent sees only the branch that it answers.
   */
  parent_id: z.optional(z.nullable(z.string())),
  /** Id of the chosen mode (see `EmbedConfig.modes`). */
  mode: z.optional(z.nullable(z.string())),
  /** The `@` mentions in the text. */
  mentions: z.optional(z.nullable(z.array(Mention))),
});
/** The user stopped the run. A `session.status_idle` follows. */
export const UserInterrupt = event('user.interrupt', {});
/** The user allowed or denied a tool call. The run continues. */
export const UserToolConfirmation = event('user.tool_confirmation', {
  tool_use_id: z.string(),
  result: z.string(),
  deny_message: z.optional(z.nullable(z.string())),
  /** `input_hash` of the confirmed call. The server runs only a call with this hash. */
  input_hash: z.optional(z.nullable(z.string())),
});
/** Result of an `agent.custom_tool_use`, from the host page. The run continues. */
export const UserCustomToolResult = event('user.custom_tool_result', {
  custom_tool_use_id: z.string(),
  content: z.optional(ReadContent),
  is_error: z.optional(z.nullable(z.boolean())),
});
/** A complete agent message. Has the same id as its preceding deltas. */
export const AgentMessage = event('agent.message', {
  content: ReadContent,
  /**
   * `interrupted`: the user stopped the message. `failed`: the model did not complete it; the
   * `session.error` that follows has the cause.
   */
  incomplete: z.optional(z.nullable(z.enum(['interrupted', 'failed']))),
});
/** The complete reasoning text of the agent. Has the same id as its preceding deltas. */
export const AgentThinking = event('agent.thinking', { content: z.optional(ReadContent) });
const toolCallFields = {
  name: z.string(),
  input: jsonObject,
  /**
   * `ask`: the user must confirm the call before it runs. `allow` or absent: it runs immediately.
   */
  evaluated_permission: z.optional(z.string()),
  /** Description of the call's effect for the user, provided by the tool. */
  explanation: z.optional(z.nullable(z.string())),
  /**
   * Names of arguments that the properties of the tool's schema do not declare. The user should see that
   * the model has chosen them. Only in calls that the user must confirm, and only if there are any.
   */
  undeclared_arguments: z.optional(z.nullable(z.array(z.string()))),
  /** Hex SHA-256 of tool name and arguments. A confirmation applies to this hash only. */
  input_hash: z.optional(z.nullable(z.string())),
};
/** A call of a server tool. */
export const AgentToolUse = event('agent.tool_use', toolCallFields);
/** Result of a server tool, or the denial of a call that the user had to confirm. */
export const AgentToolResult = event('agent.tool_result', {
  tool_use_id: z.string(),
  content: z.optional(ReadContent),
  is_error: z.optional(z.nullable(z.boolean())),
});
/**
 * A call of a tool that the host page runs. A `session.status_idle` with `requires_action` follows.
 * With `evaluated_permission: 'ask'`, the server rejects a `user.custom_tool_result` with
 * `TOOL_CONFIRMATION_REQUIRED` until a `user.tool_confirmation` has allowed the call.
 */
export const AgentCustomToolUse = event('agent.custom_tool_use', toolCallFields);
/** A card of the agent. The run continues. */
export const AgentCard = event('agent.card', {
  card: ReadCard,
  /** The call of the server tool that returned the card; absent for a card of the model. */
  tool_use_id: z.optional(z.nullable(z.string())),
});
/** The user pressed a button or selected a list item of a card. Starts a run. */
export const UserCardAction = event('user.card_action', {
  card_id: z.string(),
  action: z.string(),
  values: z.optional(z.record(z.string(), z.unknown())),
  /**
   * Id of the last `user.message` of the branch that the action and its run belong to. That branch
   * becomes the current branch.
   */
  parent_id: z.optional(z.nullable(z.string())),
});
/** Follow-up suggestions. Precedes the `session.status_idle` that ends the run. */
export const AgentSuggestions = event('agent.suggestions', { prompts: z.array(StarterPrompt) });
/** A run started. */
export const SessionStatusRunning = event('session.status_running', {});

/** Why a run ended. */
export const StopReason = z.looseObject({
  /**
   * `end_turn`, `requires_action`, `budget_reached`, `retries_exhausted`; expect unknown values.
   */
  type: z.string(),
  /** With `requires_action`: ids of the pending tool calls. */
  event_ids: z.optional(z.array(z.string())),
});
export type StopReason = z.infer<typeof StopReason>;

/** A run ended. No further run starts until the user acts. */
export const SessionStatusIdle = event('session.status_idle', {
  stop_reason: StopReason,
  /** Used share of each budget at the end of the run. */
  allowances: z.optional(z.array(Allowance)),
});
/** The process of a run failed, and another process restarts the run. Partial messages are discarded. */
export const SessionStatusRescheduled = event('session.status_rescheduled', {});
/** The session was terminated permanently. */
export const SessionStatusTerminated = event('session.status_terminated', {
  /** Reason, written for the user. */
  reason: z.optional(z.nullable(z.string())),
});
/** Title, metadata or archive status changed. */
export const SessionUpdated = event('session.updated', {
  title: z.optional(z.nullable(z.string())),
  metadata: z.optional(z.record(z.string(), z.string())),
  archived_at: z.optional(z.nullable(z.string())),
});
/** The session was deleted. Last event of the stream. */
export const SessionDeleted = event('session.deleted', {});

export const SessionErrorDetail = z.looseObject({
  /**
   * For example `model_request_failed_error`, `billing_error`, `embed_token_error`. An answer that did
   * not end well: `answer_cut_off_error` (the maximum length of the model), `answer_filtered_error`,
   * `answer_empty_error`, `answer_too_long_error` (a limit of the platform), `model_stalled_error`.
   */
  type: z.string(),
  code: z.optional(z.string()),
  message: z.string(),
  /** `retrying`, `exhausted` or `terminal`. */
  retry_status: z.looseObject({ type: z.string() }),
});
export type SessionErrorDetail = z.infer<typeof SessionErrorDetail>;

/** An error during a run. `retry_status` says whether the operation is retried. */
export const SessionError = event('session.error', { error: SessionErrorDetail });
/** A model request started. */
export const SpanModelRequestStart = event('span.model_request_start', {});
/** A model request ended, successfully or not. */
export const SpanModelRequestEnd = event('span.model_request_end', {
  model_request_start_id: z.string(),
  is_error: z.nullable(z.boolean()),
  /**
   * Why the response ended: `stop`, `tool_calls`, `length` (its maximum length), `content_filter` (the
   * provider withheld the rest), `empty` (neither text nor tool calls), `error` or `interrupted`; expect
   * unknown values. Absent in older logs.
   */
  finish_reason: z.optional(z.nullable(z.string())),
  model_usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
  /** Milliseconds from the request to its end. Absent in older logs, as the following members. */
  duration_ms: z.optional(z.int()),
  /** Milliseconds until the first text or tool call; null if there was none. */
  first_token_ms: z.optional(z.nullable(z.int())),
  /** Name of the model. Only with an API key. */
  model: z.optional(z.string()),
  /** Cost in millionths of a cent. Only with an API key. */
  spent_microcents: z.optional(z.int()),
});

/** Schemas of all logged events by type. Add new event types here. */
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
/** A logged event: `LogEvent<'agent.message'>` for one type, `LogEvent` for any. */
export type LogEvent<Type extends LogEventType = LogEventType> = {
  [T in Type]: z.infer<(typeof logEvents)[T]>;
}[Type];

/** First event of the stream that `POST /sessions` returns. Not logged, so it has no `seq`. */
export const SessionCreated = z.looseObject({
  type: z.literal('session.created'),
  id: z.string(),
  processed_at: z.string(),
  session: Session,
});
/**
 * Start of an event that is streamed in fragments. A client that already has fragments with this id
 * discards them.
 */
export const EventStart = z.looseObject({
  type: z.literal('event_start'),
  event: z.looseObject({ id: z.string(), type: z.string() }),
});
/** A fragment of a streamed event. */
export const EventDelta = z.looseObject({
  type: z.literal('event_delta'),
  event_id: z.string(),
  delta: z.looseObject({
    type: z.literal('content_delta'),
    /** Index of the content block to append to. */
    index: z.int(),
    content: z.looseObject({ type: z.literal('text'), text: z.string() }),
  }),
});
/**
 * The token of this stream expired or was revoked; the stream ends. This event concerns the
 * connection and is not logged, so it has no `seq` (docs/conformance.md, 6.3).
 */
export const StreamError = z.looseObject({
  type: z.literal('session.error'),
  id: z.string(),
  processed_at: z.string(),
  error: SessionErrorDetail,
});

/** Schemas of all events that occur only in streams, by type. */
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

/** Event types whose fragments a stream sends on request (`event_deltas[]`). */
export const deltaTypes = ['agent.message', 'agent.thinking'] as const;
export type DeltaType = (typeof deltaTypes)[number];
