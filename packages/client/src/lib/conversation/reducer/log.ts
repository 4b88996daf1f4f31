import type { LogEvent, ReadContent } from '@inlay/protocol';
import { isRecord } from '@inlay/protocol/shape';
import { textOf } from '@inlay/protocol/text-of';
import { omitUndefined } from '../../omit-undefined.ts';
import type {
  CardAnswer,
  CardEntry,
  ConversationState,
  EntryCitation,
  ToolEntry,
} from '../state.ts';
import {
  beginRun,
  dropPreviews,
  endRun,
  entryBase,
  finishOutput,
  outputBase,
  timeOf,
  updateSuspension,
} from './live.ts';
import type { StateDraft } from './state-draft.ts';
import { applyLoggedMessage, changeBranch } from './user-messages.ts';

/** Applies one event of the log. */
export function reduceLog(draft: StateDraft, event: LogEvent): void {
  switch (event.type) {
    case 'user.message':
      applyLoggedMessage(draft, event);
      break;
    case 'user.tool_confirmation':
      changeTool(draft, event, event.tool_use_id, ({ runsOn }) => ({
        progress: event.result === 'deny' ? 'denied' : progressOf(runsOn),
        decision: {
          result: event.result === 'deny' ? 'deny' : 'allow',
          reason: event.deny_message ?? null,
        },
      }));
      break;
    case 'user.custom_tool_result':
      finishTool(draft, event, event.custom_tool_use_id);
      break;
    case 'agent.message':
      finishOutput(draft, event, citationsOf(event.content));
      break;
    case 'agent.thinking':
      finishOutput(draft, event, []);
      break;
    case 'agent.tool_use':
    case 'agent.custom_tool_use':
      draft.insert({ ...toolEntry(event), ...outputBase(draft, event) });
      draft.remember({ openTools: [...draft.memory.openTools, event.id] });
      break;
    case 'agent.tool_result':
      finishTool(draft, event, event.tool_use_id);
      break;
    case 'session.status_running':
      beginRun(draft);
      break;
    case 'session.status_rescheduled':
      dropPreviews(draft);
      beginRun(draft);
      break;
    case 'session.status_idle':
      closeTools(draft, event.stop_reason);
      endRun(draft, event.stop_reason);
      draft.setAllowances(event.allowances ?? []);
      break;
    case 'session.status_terminated':
      draft.set({
        endReason: event.reason ?? null,
        session: draft.state.session && { ...draft.state.session, status: 'terminated' },
      });
      endSession(draft);
      break;
    case 'session.deleted':
      endSession(draft);
      break;
    case 'session.updated':
      updateSession(draft, event);
      break;
    case 'session.error':
      if (event.error.retry_status.type === 'retrying') break;
      draft.insert({
        ...entryBase(event),
        kind: 'notice',
        code: event.error.code ?? event.error.type,
        retryable: event.error.retry_status.type === 'exhausted',
      });
      break;
    case 'agent.card':
      draft.insert({ ...outputBase(draft, event), ...openCard(event.id, event.card) });
      break;
    case 'user.card_action':
      applyCardAnswer(draft, event);
      draft.set({ suggestions: [] });
      break;
    case 'agent.suggestions':
      draft.set({ suggestions: event.prompts });
      break;
    case 'span.model_request_start':
      draft.remember({ requestSeq: event.seq });
      break;
    case 'span.model_request_end':
      draft.remember({ requestSeq: 0 });
      break;
  }
}

function endSession(draft: StateDraft): void {
  closeTools(draft, null);
  endRun(draft, null);
}

function toolEntry(event: LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>): ToolEntry {
  const { name, input } = event;
  const runsOn = event.type === 'agent.custom_tool_use' ? 'host' : 'server';
  const progress = event.evaluated_permission === 'ask' ? 'approval' : progressOf(runsOn);
  const { explanation = null, input_hash: inputHash = null } = event;
  const undeclaredArguments = event.undeclared_arguments;
  const call = {
    ...{ name, input, explanation, inputHash },
    ...(undeclaredArguments && { undeclaredArguments }),
  };
  const open = { result: null, decision: null, endedAt: null };
  return { ...entryBase(event), kind: 'tool', runsOn, ...call, progress, ...open };
}

/** Returns the progress of a call that is approved or needs no approval. */
function progressOf(runsOn: ToolEntry['runsOn']): 'waiting' | 'running' {
  return runsOn === 'host' ? 'waiting' : 'running';
}

function finishTool(
  draft: StateDraft,
  event: LogEvent<'agent.tool_result' | 'user.custom_tool_result'>,
  id: string,
): void {
  const progress = event.is_error ? 'failed' : 'done';
  const endedAt = timeOf(event);
  const result = textOf(event.content ?? []);
  changeTool(draft, event, id, () => ({ progress, result, endedAt }));
}

function changeTool(
  draft: StateDraft,
  event: LogEvent,
  id: string,
  changesOf: (
    entry: ToolEntry,
  ) => Pick<ToolEntry, 'progress'> & Partial<Pick<ToolEntry, 'result' | 'decision' | 'endedAt'>>,
): void {
  const entry = draft.find(id, 'tool');
  if (!entry) {
    // The call is not loaded yet. The event is applied again with the page that contains the call.
    draft.remember({ orphans: [...draft.memory.orphans, event] });
    return;
  }
  const changes = changesOf(entry);
  // A call that was denied or left unanswered did not run: its result is only meant for the agent.
  const unanswered = entry.progress === 'approval' && changes.progress === 'failed';
  const progress = unanswered || entry.progress === 'denied' ? 'denied' : changes.progress;
  draft.replace(id, { ...entry, ...changes, progress });
  if (progress === 'running' || progress === 'waiting' || progress === 'denied') return;
  draft.remember({ openTools: draft.memory.openTools.filter((open) => open !== id) });
}

/** Ends the open tool calls, except those that the run waits for. */
export function closeTools(draft: StateDraft, reason: ConversationState['stopReason']): void {
  const { openTools } = draft.memory;
  const waiting = reason?.type === 'requires_action' ? reason.event_ids : [];
  // Without a list, the run waits for all calls.
  const isAwaited = (id: string) => waiting === undefined || waiting.includes(id);
  for (const id of openTools) {
    const entry = draft.find(id, 'tool');
    if (!entry || entry.progress === 'denied' || isAwaited(id)) continue;
    draft.replace(id, { ...entry, progress: 'stopped' });
  }
  draft.remember({ openTools: openTools.filter(isAwaited) });
}

function updateSession(draft: StateDraft, event: LogEvent<'session.updated'>): void {
  const { session } = draft.state;
  if (!session) return;
  const { title, metadata, archived_at, processed_at: updated_at } = event;
  draft.set({
    session: { ...session, ...omitUndefined({ title, metadata, archived_at, updated_at }) },
  });
  updateSuspension(draft);
}

/** Returns the fields of the entry of an unanswered card, except those that depend on its position. */
export function openCard(
  id: string,
  { title = null, blocks }: LogEvent<'agent.card'>['card'],
): Omit<CardEntry, 'key' | 'seq' | 'at'> {
  return { kind: 'card', id, card: { title, blocks }, answer: null, progress: 'open' };
}

/** Applies a card’s answer that is in the log. */
function applyCardAnswer(draft: StateDraft, event: LogEvent<'user.card_action'>): void {
  const { card_id: id, action, values = {}, parent_id: to } = event;
  if (to) changeBranch(draft, { seq: event.seq, to });
  const entry = draft.find(id, 'card');
  if (entry) draft.replace(id, { ...entry, answer: { action, values }, progress: 'answered' });
  // The card is not loaded yet. The event is applied again with the page that contains the card.
  else draft.remember({ orphans: [...draft.memory.orphans, event] });
}

/** Shows the user's answer while it is being sent; null removes an answer that was rejected. */
export function showCardAnswer(draft: StateDraft, id: string, answer: CardAnswer | null): void {
  const { welcome } = draft.state;
  const progress = answer ? 'sending' : 'open';
  if (welcome?.id === id) draft.set({ welcome: { ...welcome, answer, progress } });
  const entry = draft.find(id, 'card');
  if (!entry || entry.progress === 'answered') return;
  draft.replace(id, { ...entry, answer, progress });
}

/**
 * Returns the citations of all text blocks. Their positions refer to the result of `textOf`, which
 * separates blocks by two characters.
 */
function citationsOf(content: ReadContent): readonly EntryCitation[] {
  const texts = content.filter(({ type, text }) => type === 'text' && typeof text === 'string');
  let start = 0;
  return texts.flatMap(({ text, citations }) => {
    const from = start;
    const { length } = String(text);
    start += length + 2;
    const end = texts.length === 1 ? null : from + length;
    return Array.isArray(citations)
      ? citations.flatMap((each) => readCitation(each, from, length, end))
      : [];
  });
}

/** Reads a citation. Invalid citations are dropped, so that the message is still shown. */
function readCitation(
  value: unknown,
  from: number,
  length: number,
  defaultEnd: number | null,
): readonly EntryCitation[] {
  if (!isRecord(value) || typeof value.title !== 'string') return [];
  const { title, url, snippet, end_index } = value;
  const isPosition = typeof end_index === 'number' && Number.isSafeInteger(end_index);
  return [
    {
      title,
      // A `javascript:` address would run as code of the page.
      url: typeof url === 'string' && /^https?:\/\//i.test(url) ? url : null,
      snippet: typeof snippet === 'string' ? snippet : null,
      endIndex: isPosition ? from + Math.max(0, Math.min(end_index, length)) : defaultEnd,
    },
  ];
}
