import { limits, type ProblemCode } from '@inlay/protocol';
import { invalidField, ProblemError } from './problem-error.ts';
import {
  jsonResponse,
  type PlatformRequest,
  pageOf,
  readLimit,
  type UserRequest,
} from './request.ts';
import type { LoggedEvent, ScriptedSession } from './session.ts';

/** Returns a page of a log. With `after_seq` and `wait`, waits for the first event after it. */
export async function readLog(session: ScriptedSession, call: UserRequest): Promise<Response> {
  const { query } = call.request;
  const limit = readLimit(call.request, limits.eventPage);
  const order = query.get('order') ?? 'asc';
  if (order !== 'asc' && order !== 'desc')
    throw invalidField('/query/order', 'must be asc or desc');
  const afterSeq = readNumber(call.request, 'after_seq', Number.MAX_SAFE_INTEGER);
  const wait = readNumber(call.request, 'wait', limits.eventWaitSeconds) ?? 0;
  if (afterSeq === null && wait > 0) throw invalidField('/query/wait', 'needs `after_seq`');
  if (afterSeq !== null && (order === 'desc' || query.has('page'))) {
    throw invalidField('/query/after_seq', 'needs `order=asc`, and no `page`');
  }
  const after = afterSeq ?? 0;
  if (wait > 0 && session.log.length <= after) await nextEvent(session, call, wait * 1000);
  const types = [...query.getAll('types[]'), ...query.getAll('types')];
  const cursor = readCursor(query.get('page'));
  const selected = session.log.filter(
    ({ seq, type }) => seq > after && (types.length === 0 || types.includes(type)),
  );
  if (order === 'desc') selected.reverse();
  const isAfterCursor = ({ seq }: LoggedEvent) =>
    cursor === null || (order === 'asc' ? seq > cursor : seq < cursor);
  return jsonResponse(pageOf(selected.filter(isAfterCursor), limit, ({ seq }) => `seq_${seq}`));
}

/** Waits for an event, at most `wait` milliseconds. Throws when the token becomes invalid. */
async function nextEvent(session: ScriptedSession, call: UserRequest, wait: number): Promise<void> {
  const { clock, tokens } = call.parts;
  const cleanups: (() => void)[] = [];
  const tokenError = await new Promise<ProblemCode | null>((resolve) => {
    const done = () => resolve(null);
    const timer = clock.setTimeout(done, wait);
    cleanups.push(
      () => clock.clearTimeout(timer),
      session.addReader({ deltas: new Set(), event: done, end: done }, session.log.length),
      tokens.watch(call.issuance, resolve),
    );
    call.request.signal.addEventListener('abort', done, { once: true });
  });
  for (const cleanup of cleanups) cleanup();
  if (tokenError) throw new ProblemError(tokenError);
}

function readNumber({ query }: PlatformRequest, name: string, max: number): number | null {
  const value = query.get(name);
  if (value === null) return null;
  const number = Number(value);
  if (number >= 0 && number <= max) return number;
  throw invalidField(`/query/${name}`, `must be a number from 0 to ${max}`);
}

function readCursor(page: string | null): number | null {
  if (page === null) return null;
  const seq = /^seq_(\d{1,15})$/.exec(page)?.[1];
  if (seq !== undefined) return Number(seq);
  throw invalidField('/query/page', 'must be the `next_page` of a page of this list, unchanged');
}
