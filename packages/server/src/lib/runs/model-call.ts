import type { Citation, DeltaType } from '@inlay/protocol';
import { estimateUsage } from '../agent-models/estimate-usage.ts';
import {
  type FinishReason,
  type Model,
  ModelError,
  type ModelErrorKind,
  type ModelRequest,
  type ModelUsage,
  type ProviderMessage,
} from '../agent-models/model.ts';
import type { Limits } from '../config/limits.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { checkTimeMs } from './check-tool-input.ts';
import { Citations } from './citations.ts';
import type { PartialEvent } from './partial-event.ts';
import type { StoredProviderMessage } from './provider-messages.ts';
import { TimeLimit } from './time-limit.ts';
import { type ToolCallContext, toolCallEvents } from './tool-call-events.ts';

/** The result of one model call. */
export interface ModelCallResult {
  /** Events that the caller must append: the last message or thinking, and the tool calls. */
  readonly drafts: readonly EventDraft[];
  readonly usage: ModelUsage;
  /** Why the response ended: `finish_reason` of `span.model_request_end`. */
  readonly finishReason: string;
  /** The message for later requests to the same model; null if the events of the log suffice. */
  readonly providerMessage: StoredProviderMessage | null;
  /** Null if the call succeeded or was interrupted. */
  readonly error: ModelError | null;
  /**
   * Set if `append` rejected, which ended the call. It is no failure of the model: the lease was
   * lost, or the store failed.
   */
  readonly appendFailure: { readonly cause: unknown } | null;
  /** Whether the call produced text or a tool call, which a retry would repeat; not only thinking. */
  readonly hasOutput: boolean;
}

interface ModelCallContext extends Omit<ToolCallContext, 'checkTime'> {
  /** Whether a response may be empty, because the run has already shown something to the user. */
  readonly mayBeEmpty: boolean;
  readonly limits: Limits['run'];
  /** Sources of tool results, which the answer cites: a response with no more calls. */
  readonly toolCitations: readonly Citation[];
  /** Starts publishing the fragments of an event. */
  readonly openPartialEvent: (event: { id: string; type: DeltaType }) => PartialEvent;
  /** Appends events that are complete before the call ends. */
  readonly append: (drafts: readonly EventDraft[]) => Promise<void>;
}

/** Calls the model once, and publishes its output as it arrives. */
export async function callModel(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  context: ModelCallContext,
): Promise<ModelCallResult> {
  const calls: EventDraft[] = [];
  const callIds: string[] = [];
  let message: ProviderMessage | null = null;
  const checkTime = new TimeLimit(checkTimeMs);
  const citations = new Citations(context.limits);
  let partial: PartialEvent | null = null;
  let output = '';
  let hasOutput = false;
  let usage: ModelUsage | null = null;
  let error: ModelError | null = null;
  let appendFailure: ModelCallResult['appendFailure'] = null;
  let finish: FinishReason | null = null;

  try {
    for await (const event of model.run(request, signal)) {
      if (event.type === 'usage') usage = event.usage;
      if (signal.aborted) continue;
      if (event.type === 'finish') finish = event.reason;
      if (event.type === 'provider_message') message = event.message;
      if (event.type === 'tool_call') {
        hasOutput = true;
        output += JSON.stringify(event.input);
        const drafts = toolCallEvents(event, { ...context, checkTime });
        callIds.push(drafts[0]?.id ?? '');
        calls.push(...drafts);
      }
      if (event.type === 'citation') citations.add(event);
      if (event.type === 'text' || event.type === 'thinking') {
        const type = event.type === 'text' ? 'agent.message' : 'agent.thinking';
        if (partial && partial.event.type !== type) {
          partial.close();
          try {
            await context.append([wholeEvent(partial, null, citations)]);
          } catch (cause) {
            appendFailure = { cause };
            break;
          }
          partial = null;
        }
        partial ??= context.openPartialEvent({ id: context.newEventId(), type });
        partial.add(event.text);
        output += event.text;
        hasOutput ||= event.type === 'text';
      }
    }
  } catch (caught) {
    error = caught instanceof ModelError ? caught : toModelError(caught);
  }
  partial?.close();
  if (!error && !signal.aborted) error = endError(finish, context.mayBeEmpty);
  if (!calls.some(({ type }) => type.endsWith('tool_use'))) {
    for (const { title, url = null, snippet = null } of context.toolCitations) {
      citations.add({ type: 'citation', title, url, snippet, endIndex: null });
    }
  }
  const incomplete = signal.aborted ? 'interrupted' : error ? 'failed' : null;
  return {
    // Tool calls of an incomplete response may be truncated, and are dropped.
    drafts: [
      ...(partial && !isBlank(partial, error) ? [wholeEvent(partial, incomplete, citations)] : []),
      ...(incomplete ? [] : calls),
    ],
    usage: usage ?? estimateUsage(request, output),
    finishReason: signal.aborted ? 'interrupted' : finishReasonOf(finish, error),
    providerMessage: message && !incomplete ? { message, callIds } : null,
    error: signal.aborted ? null : error,
    appendFailure,
    hasOutput,
  };
}

/** Why a response that ended is no answer; null if it is one. */
function endError(finish: FinishReason | null, mayBeEmpty: boolean): ModelError | null {
  const fail = (message: string, kind: ModelErrorKind, retryable = false) =>
    new ModelError(message, { kind, retryable });
  switch (finish) {
    case null:
      return fail('the response of the model ended without a finish reason', 'failed', true);
    case 'length':
      return fail('the response of the model reached its maximum length', 'length');
    case 'filtered':
      return fail('the provider withheld the rest of the response', 'filtered');
    case 'empty':
      return mayBeEmpty ? null : fail('the response of the model was empty', 'empty');
    default:
      return null;
  }
}

function finishReasonOf(finish: FinishReason | null, error: ModelError | null): string {
  switch (error?.kind) {
    case undefined:
      return finish === 'tool_calls' ? 'tool_calls' : 'stop';
    case 'length':
    case 'empty':
      return error.kind;
    case 'filtered':
      return 'content_filter';
    default:
      return 'error';
  }
}

/** Whether a message is nothing but white space of an empty response. */
function isBlank({ event, text }: PartialEvent, error: ModelError | null): boolean {
  return error?.kind === 'empty' && event.type === 'agent.message' && text.trim() === '';
}

/** The event that replaces the fragments of a partial event. */
function wholeEvent(
  partial: PartialEvent,
  incomplete: 'interrupted' | 'failed' | null,
  citations: Citations,
): EventDraft {
  const { id, type } = partial.event;
  const block = { type: 'text' as const, text: partial.text };
  if (type === 'agent.thinking') return { type, id, content: [block] };
  const cited = citations.take(partial.text);
  return {
    type,
    id,
    content: [{ ...block, ...(cited.length > 0 && { citations: cited }) }],
    ...(incomplete && { incomplete }),
  };
}

function toModelError(cause: unknown): ModelError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ModelError(message, { retryable: false, cause });
}
