import type { LogEvent } from '@inlay/protocol';
import { given } from '../given.ts';
import { textOf } from '../wire/text-of.ts';
import { cardEntry, settleCard } from './cards.ts';
import { citationsOf } from './citations.ts';
import type { Draft } from './draft.ts';
import type { AgentEntry, ConversationState, Entry, ThinkingEntry, ToolEntry } from './state.ts';
import { adoptTyped } from './typed-messages.ts';

/** Whether it has a place in the log: the others have no `seq`. */
export function isLogEvent(event: { type: string; seq?: unknown }): event is LogEvent {
  return typeof event.seq === 'number';
}

/** When an event happened, in milliseconds since the epoch. */
export function timeOf(event: LogEvent): number {
  return Date.parse(event.processed_at) || 0;
}

/** Applies one event of the log. */
export function reduceLog(draft: Draft, event: LogEvent): void {
  switch (event.type) {
    case 'user.message':
      adoptTyped(draft, event);
      break;
    case 'user.tool_confirmation':
      changeTool(draft, event, event.tool_use_id, {
        progress: event.result === 'deny' ? 'denied' : 'running',
        decision: {
          result: event.result === 'deny' ? 'deny' : 'allow',
          reason: event.deny_message ?? null,
        },
      });
      break;
    case 'user.custom_tool_result':
      finishTool(draft, event, event.custom_tool_use_id);
      break;
    case 'agent.message':
    case 'agent.thinking':
      finishOutput(draft, event);
      break;
    case 'agent.tool_use':
    case 'agent.custom_tool_use':
      draft.insert({ ...toolEntry(event), ...placed(draft, event) });
      draft.remember({ openTools: [...draft.memory.openTools, event.id] });
      break;
    case 'agent.tool_result':
      finishTool(draft, event, event.tool_use_id);
      break;
    case 'session.status_rescheduled':
      dropPreviews(draft);
      beginRun(draft);
      break;
    case 'session.status_running':
      beginRun(draft);
      break;
    case 'session.status_idle':
      endRun(draft, event.stop_reason);
      draft.allow(event.allowances ?? []);
      break;
    case 'session.status_terminated':
      draft.set({
        endReason: event.reason ?? null,
        session: draft.state.session && { ...draft.state.session, status: 'terminated' },
      });
      endRun(draft, null);
      break;
    case 'session.deleted':
      endRun(draft, null);
      break;
    case 'session.updated':
      updateSession(draft, event);
      break;
    case 'session.error':
      if (event.error.retry_status.type === 'retrying') break;
      draft.insert({
        ...base(event),
        kind: 'notice',
        code: event.error.code ?? event.error.type,
        retryable: event.error.retry_status.type === 'exhausted',
      });
      break;
    case 'span.model_request_start':
      draft.remember({ requestSeq: event.seq });
      break;
    case 'span.model_request_end':
      draft.remember({ requestSeq: 0 });
      break;
    case 'agent.card':
      draft.insert({ ...placed(draft, event), ...cardEntry(event) });
      break;
    case 'user.card_action':
      settleCard(draft, event);
      draft.set({ suggestions: [] });
      break;
    case 'agent.suggestions':
      draft.set({ suggestions: event.prompts });
      break;
    case 'user.interrupt':
      break;
  }
}

function base(event: LogEvent): Pick<Entry, 'key' | 'id' | 'seq' | 'at'> {
  return { key: event.id, id: event.id, seq: event.seq, at: timeOf(event) };
}

/** Of what a model says or does: it stands where the model was asked. */
function placed(draft: Draft, event: LogEvent): ReturnType<typeof base> {
  return { ...base(event), seq: draft.memory.requestSeq || event.seq };
}

/** The whole text of what was a preview until now, or was never seen before. */
function finishOutput(draft: Draft, event: LogEvent<'agent.message' | 'agent.thinking'>): void {
  const { id } = event;
  const entry = outputEntry(draft, event);
  const { previews } = draft.memory;
  const others = previews.filter((preview) => preview.id !== id);
  if (others.length === previews.length) {
    draft.insert(entry);
    return;
  }
  draft.remember({ previews: others });
  draft.replace(id, { ...entry, seq: draft.find(id, 'agent', 'thinking')?.seq ?? entry.seq });
}

function outputEntry(
  draft: Draft,
  event: LogEvent<'agent.message' | 'agent.thinking'>,
): AgentEntry | ThinkingEntry {
  const common = {
    ...placed(draft, event),
    text: textOf(event.content ?? []),
  };
  if (event.type === 'agent.thinking') {
    return { ...common, kind: 'thinking', progress: 'done', endedAt: common.at };
  }
  const { incomplete } = event;
  const broken = incomplete === 'failed' ? 'failed' : 'done';
  const progress = incomplete === 'interrupted' ? 'stopped' : broken;
  const feedback = draft.memory.ratings.get(event.id) ?? null;
  return { ...common, kind: 'agent', progress, citations: citationsOf(event.content), feedback };
}

function toolEntry(event: LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>): ToolEntry {
  const { name, input } = event;
  const runsOn = event.type === 'agent.custom_tool_use' ? 'host' : 'server';
  const asks = event.type === 'agent.tool_use' && event.evaluated_permission === 'ask';
  const progress = runsOn === 'host' ? 'waiting' : asks ? 'approval' : 'running';
  const { explanation = null, input_hash: inputHash = null } =
    event.type === 'agent.tool_use' ? event : {};
  const what = { name, input, explanation, inputHash };
  const open = { result: null, decision: null, endedAt: null };
  return { ...base(event), kind: 'tool', runsOn, ...what, progress, ...open };
}

function finishTool(
  draft: Draft,
  event: LogEvent<'agent.tool_result' | 'user.custom_tool_result'>,
  id: string,
): void {
  const progress = event.is_error ? 'failed' : 'done';
  const endedAt = timeOf(event);
  changeTool(draft, event, id, { progress, result: textOf(event.content ?? []), endedAt });
}

function changeTool(
  draft: Draft,
  event: LogEvent,
  id: string,
  changes: Pick<ToolEntry, 'progress'> &
    Partial<Pick<ToolEntry, 'result' | 'decision' | 'endedAt'>>,
): void {
  const entry = draft.find(id, 'tool');
  if (!entry) {
    // Its call stands in a part of the log that was not read yet.
    draft.remember({ orphans: [...draft.memory.orphans, event] });
    return;
  }
  // What the person denied, or left unanswered, did not run: the result is for the agent's sake.
  const unanswered = entry.progress === 'approval' && changes.progress === 'failed';
  const progress = unanswered || entry.progress === 'denied' ? 'denied' : changes.progress;
  draft.replace(id, { ...entry, ...changes, progress });
  if (progress === 'running' || progress === 'denied') return;
  draft.remember({ openTools: draft.memory.openTools.filter((open) => open !== id) });
}

function beginRun(draft: Draft): void {
  draft.remember({ serverRunning: true, requestSeq: 0 });
  draft.set({ stopReason: null, suggestions: [] });
}

/** Nothing that is not in the log outlives a run, and nothing spins after it. */
function endRun(draft: Draft, reason: ConversationState['stopReason']): void {
  dropPreviews(draft);
  closeTools(draft, reason);
  draft.remember({ serverRunning: false, requestSeq: 0 });
  draft.set({ stopping: false, stopReason: reason });
}

/** Ends the tool calls that have no end, but for those that the run waits for. */
export function closeTools(draft: Draft, reason: ConversationState['stopReason']): void {
  const { openTools } = draft.memory;
  const waiting = reason?.type === 'requires_action' ? reason.event_ids : [];
  // A server that does not say which calls it waits for waits for all of them.
  const waits = (id: string) => waiting === undefined || waiting.includes(id);
  for (const id of openTools) {
    const entry = draft.find(id, 'tool');
    if (!entry || entry.progress === 'denied' || waits(id)) continue;
    draft.replace(id, { ...entry, progress: 'stopped' });
  }
  draft.remember({ openTools: openTools.filter(waits) });
}

/** Takes away what was being said and never got into the log. */
function dropPreviews(draft: Draft): void {
  for (const { id } of draft.memory.previews) draft.remove(id);
  draft.remember({ previews: [] });
}

function updateSession(draft: Draft, event: LogEvent<'session.updated'>): void {
  const { session } = draft.state;
  if (!session) return;
  const { title, metadata, archived_at, processed_at: updated_at } = event;
  draft.set({ session: { ...session, ...given({ title, metadata, archived_at, updated_at }) } });
}
