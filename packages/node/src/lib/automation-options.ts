import { randomUUID } from 'node:crypto';
import type { Page } from '@inlay/protocol';
import type { PageParams } from './page-query.ts';
import { PlatformError } from './platform-error.ts';
import { rejectUnknown } from './reject-unknown.ts';

/** Parameters of the lists of actions, scripts and workflows. */
export interface ListAutomationParams extends PageParams {
  /** Lists only this namespace. */
  namespace?: string;
  /** Lists only items that have all of these labels. At most 16 labels. */
  labels?: Readonly<Record<string, string>>;
  /** @default false */
  include_archived?: boolean;
}

export interface RequestOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface IdempotentOptions extends RequestOptions {
  /**
   * Identifies the request for a day: with the same key, the platform performs it once and returns
   * the same result. 1 to 255 visible ASCII characters. Set the key if another process may repeat the
   * call.
   *
   * @default a random key, which the client's own retries share
   */
  idempotencyKey?: string;
}

export interface ConditionalOptions extends RequestOptions {
  /**
   * `draft_digest` of the script or workflow on which the change is based. If another program has
   * changed the draft since, the call rejects with `PRECONDITION_FAILED` and changes nothing.
   *
   * @default no condition
   */
  ifMatch?: string;
}

export interface PublishOptions extends ConditionalOptions, IdempotentOptions {}

/**
 * A list that the platform returns in pages. `await` resolves to one page, with its `next_page`;
 * `for await` yields all items, and requests each page when the loop reaches it.
 */
export interface PagedList<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {}

/**
 * Requests the first page, and returns a list that requests further pages on demand.
 *
 * @param read Reads a page; the first one if called without an argument.
 */
export function pagedList<Item>(read: (page?: string) => Promise<Page<Item>>): PagedList<Item> {
  const first = read();
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let page = await first;
      for (;;) {
        yield* page.data;
        if (page.next_page === null) return;
        page = await read(page.next_page);
      }
    },
  });
}

export function listQuery(
  method: string,
  { namespace, labels = {}, include_archived, limit, page, ...unknown }: ListAutomationParams,
  nextPage = page,
) {
  rejectUnknown(method, unknown, 'namespace, labels, include_archived, limit and page');
  const filters = Object.entries(labels).map(([key, value]) => [`labels[${key}]`, value] as const);
  return {
    namespace,
    include_archived: include_archived ? 'true' : undefined,
    limit,
    page: nextPage,
    ...Object.fromEntries(filters),
  };
}

/**
 * Validates the options of a method, and converts them to options of a `Call`.
 *
 * @param names Options that the method has besides `signal`.
 * @throws PlatformError `INVALID_OPTION` for an unknown or invalid option. If a misspelt `ifMatch`
 *   were ignored, the call could overwrite the change of another program.
 */
export function readOptions(
  method: string,
  options: PublishOptions,
  ...names: ('ifMatch' | 'idempotencyKey')[]
) {
  const known: string[] = ['signal', ...names];
  const unknown = Object.entries(options).filter(([name]) => !known.includes(name));
  rejectUnknown(method, Object.fromEntries(unknown), known.join(', '));
  const { signal, ifMatch, idempotencyKey = randomUUID() } = options;
  const headers: Record<string, string> = {};
  if (ifMatch !== undefined) headers['if-match'] = `"${requireVisibleAscii('ifMatch', ifMatch)}"`;
  if (names.includes('idempotencyKey')) {
    headers['idempotency-key'] = requireVisibleAscii('idempotencyKey', idempotencyKey);
  }
  return { signal, headers };
}

/**
 * Returns the value of an option that is sent as a header.
 *
 * @throws PlatformError `INVALID_OPTION` unless it has 1 to 255 visible ASCII characters.
 */
function requireVisibleAscii(name: string, value: string): string {
  if (typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)) return value;
  throw new PlatformError(
    'INVALID_OPTION',
    `\`${name}\` must have 1 to 255 visible ASCII characters, without spaces.`,
  );
}
