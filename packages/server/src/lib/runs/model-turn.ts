import type { DeltaType } from '@inlay/protocol';
import type { EventDraft } from '../events/event-draft.ts';
import { estimateUsage } from '../models/estimate-usage.ts';
import { type Model, ModelError, type ModelRequest, type ModelUsage } from '../models/model.ts';
import { type CallPorts, callDrafts } from './call-drafts.ts';
import { Citations } from './citations.ts';
import type { LivePart } from './live-part.ts';

/** The result of one model call. */
export interface TurnOutcome {
  /** Events that are still to be appended: the last part of the message, and the tool calls. */
  readonly drafts: readonly EventDraft[];
  readonly usage: ModelUsage;
  /** Null if the call succeeded or was interrupted. */
  readonly error: ModelError | null;
  /** Whether the call produced output, so that a retry would repeat it. */
  readonly hasOutput: boolean;
}

interface TurnPorts extends CallPorts {
  /** Starts publishing the fragments of an event. */
  readonly openPart: (event: { id: string; type: DeltaType }) => LivePart;
  /** Appends an event that is complete before the call ends. */
  readonly append: (drafts: readonly EventDraft[]) => Promise<void>;
}

/** Calls the model once, and publishes its output as it arrives. */
export async function askModel(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  ports: TurnPorts,
): Promise<TurnOutcome> {
  const calls: EventDraft[] = [];
  const citations = new Citations();
  let part: LivePart | null = null;
  let output = '';
  let hasOutput = false;
  let usage: ModelUsage | null = null;
  let error: ModelError | null = null;
  let finished = false;

  try {
    for await (const event of model.run(request, signal)) {
      if (event.type === 'usage') usage = event.usage;
      if (signal.aborted) continue;
      if (event.type === 'finish') finished = true;
      if (event.type === 'tool_call') {
        hasOutput = true;
        output += JSON.stringify(event.input);
        calls.push(...callDrafts(event, ports));
      }
      if (event.type === 'citation') citations.add(event);
      if (event.type === 'text' || event.type === 'thinking') {
        const type = event.type === 'text' ? 'agent.message' : 'agent.thinking';
        if (part && part.event.type !== type) {
          part.close();
          await ports.append([partDraft(part, null, citations)]);
          part = null;
        }
        part ??= ports.openPart({ id: ports.newEventId(), type });
        part.add(event.text);
        output += event.text;
        hasOutput ||= event.type === 'text';
      }
    }
  } catch (caught) {
    error = caught instanceof ModelError ? caught : unexpected(caught);
  }
  part?.close();
  if (!finished && !error && !signal.aborted) {
    error = new ModelError('the model ended without finishing', { retryable: true });
  }
  const incomplete = signal.aborted ? 'interrupted' : error ? 'failed' : null;
  return {
    // Tool calls of an incomplete response may be truncated, and are dropped.
    drafts: [
      ...(part ? [partDraft(part, incomplete, citations)] : []),
      ...(incomplete ? [] : calls),
    ],
    usage: usage ?? estimateUsage(request, output),
    error: signal.aborted ? null : error,
    hasOutput,
  };
}

function partDraft(
  part: LivePart,
  incomplete: 'interrupted' | 'failed' | null,
  citations: Citations,
): EventDraft {
  const { id, type } = part.event;
  const content = [{ type: 'text' as const, text: part.text }];
  if (type === 'agent.thinking') return { type, id, content };
  const cited = citations.take(part.text);
  return {
    type,
    id,
    content: content.map((block) => ({ ...block, ...(cited.length > 0 && { citations: cited }) })),
    ...(incomplete && { incomplete }),
  };
}

function unexpected(cause: unknown): ModelError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ModelError(message, { retryable: false, cause });
}
