import type { DeltaType } from '@inlay/protocol';
import type { EventDraft } from '../events/event-draft.ts';
import { estimateUsage } from '../models/estimate-usage.ts';
import { type Model, ModelError, type ModelRequest, type ModelUsage } from '../models/model.ts';
import { type CallPorts, callDrafts } from './call-drafts.ts';
import { Citations } from './citations.ts';
import type { LivePart } from './live-part.ts';

/** How one call of the model ended. */
export interface TurnOutcome {
  /** What is still to be appended: the last part and the tool calls. */
  readonly drafts: readonly EventDraft[];
  readonly usage: ModelUsage;
  /** Why it failed; null where it did not, or was stopped. */
  readonly error: ModelError | null;
  /** Whether anything was said or called: what a repetition would say twice. */
  readonly hasOutput: boolean;
}

interface TurnPorts extends CallPorts {
  /** Opens the live way to the readers, for an event that begins. */
  readonly openPart: (event: { id: string; type: DeltaType }) => LivePart;
  /** Writes down an event that is complete while the call goes on. */
  readonly append: (drafts: readonly EventDraft[]) => Promise<void>;
}

/** Asks the model once, and passes on what it says while it says it. */
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
    // Calls of an answer that broke off may be half of what was meant, and are left out.
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
