import type { LogEvent } from '@inlay/protocol';
import type { Caller } from '../auth/caller.ts';

/** An event as a caller may read it: only backends learn which models were called, and their cost. */
export function eventForCaller(event: LogEvent, { kind }: Pick<Caller, 'kind'>): LogEvent {
  if (kind === 'backend' || event.type !== 'span.model_request_end') return event;
  const { model: _, spent_microcents: __, ...rest } = event;
  return rest;
}
