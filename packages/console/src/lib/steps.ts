import type { LogEvent } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { formatCents, formatCount, formatMilliseconds } from './format.ts';

const microcents = 1_000_000;

/** A call of a model or a tool, or an error of the platform. */
interface Step {
  readonly id: string;
  /** Time of the end. */
  readonly at: string;
  readonly name: string;
  readonly milliseconds: number | null;
  readonly details: readonly string[];
  readonly problem: string | null;
}

/** The steps of a conversation, with their durations and costs, if it has any. */
export function viewOfSteps(events: readonly LogEvent[]) {
  const steps = stepsOf(events);
  if (steps.length === 0) return nothing;
  return html`<details ?open=${steps.some(({ problem }) => problem !== null)}>
    <summary>${formatCount(steps.length)} ${steps.length === 1 ? 'step' : 'steps'}</summary>
    <ol class="steps">
      ${steps.map(viewOfStep)}
    </ol>
  </details>`;
}

function viewOfStep({ at, name, milliseconds, details, problem }: Step) {
  return html`<li title=${new Date(at).toLocaleString('en')}>
    <strong dir="auto">${name}</strong>
    ${milliseconds === null ? nothing : html`<span>${formatMilliseconds(milliseconds)}</span>`}
    ${details.length === 0 ? nothing : html`<p>${details.join(' · ')}</p>`}
    ${problem === null ? nothing : html`<p class="error" dir="auto">${problem}</p>`}
  </li>`;
}

function stepsOf(events: readonly LogEvent[]): Step[] {
  const calls = new Map<string, LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>>();
  return events.flatMap((event): Step[] => {
    const { id, processed_at: at } = event;
    switch (event.type) {
      case 'agent.tool_use':
      case 'agent.custom_tool_use':
        calls.set(id, event);
        return [];
      case 'agent.tool_result':
        return [{ ...stepOfTool(calls.get(event.tool_use_id), event), id, at }];
      case 'user.custom_tool_result':
        return [{ ...stepOfTool(calls.get(event.custom_tool_use_id), event), id, at }];
      case 'span.model_request_end':
        return [{ ...stepOfModel(event), id, at }];
      case 'session.error': {
        const { type, message } = event.error;
        return [{ id, at, name: type, milliseconds: null, details: [], problem: message }];
      }
      default:
        return [];
    }
  });
}

function stepOfTool(
  call: LogEvent<'agent.tool_use' | 'agent.custom_tool_use'> | undefined,
  {
    processed_at: at,
    is_error: isError,
  }: LogEvent<'agent.tool_result' | 'user.custom_tool_result'>,
) {
  const isOnPage = call?.type === 'agent.custom_tool_use';
  return {
    name: call?.name ?? 'A tool',
    milliseconds: call ? Date.parse(at) - Date.parse(call.processed_at) : null,
    // The time that the person took to allow the call is a part of it.
    details: isOnPage ? ['a tool of the page'] : [],
    problem: isError ? 'The tool failed.' : null,
  };
}

function stepOfModel(event: LogEvent<'span.model_request_end'>) {
  const { model, model_usage: usage, duration_ms: duration = null, spent_microcents: cost } = event;
  const { first_token_ms: first = null, finish_reason: reason } = event;
  return {
    name: model ?? 'Model',
    milliseconds: duration,
    details: [
      ...(first === null ? [] : [`first text after ${formatMilliseconds(first)}`]),
      `${formatCount(usage.input_tokens)} tokens in, ${formatCount(usage.output_tokens)} out`,
      ...(cost ? [formatCents(cost / microcents)] : []),
    ],
    problem: problemOf(reason, event.is_error ?? false),
  };
}

function problemOf(reason: string | null | undefined, isError: boolean): string | null {
  if (reason === 'length') return 'The answer reached the maximum length of the model.';
  if (reason === 'content_filter') return 'The provider withheld the rest of the answer.';
  if (reason === 'empty') return 'The answer was empty.';
  if (reason === 'interrupted') return 'The answer was stopped.';
  return isError ? 'The request failed.' : null;
}
