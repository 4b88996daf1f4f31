import type { RouterMetadata } from '@inlay/protocol';
import type { Clock } from '../clock.ts';
import type { ModelProvider } from '../config/models.ts';

/** The reason why an attempt failed. */
export type AttemptError =
  | 'timeout'
  | 'network'
  | 'throttled'
  | 'refused'
  | 'invalid_response'
  | 'out_of_balance';

type Attempt = RouterMetadata['attempts'][number] & { readonly error: AttemptError | null };

interface RoutedRequest {
  /** Id of the requested model. */
  readonly requested: string;
  readonly providers: readonly ModelProvider[];
  readonly isByok: boolean;
  /** Routing preferences of the caller. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Records the attempts of a request for `router_metadata` (docs/conformance.md, 4.12). */
export class RouterReport {
  readonly attempts: Attempt[] = [];
  readonly #clock: Clock;
  readonly #request: RoutedRequest;
  #startedAt: number | null = null;

  constructor(clock: Clock, request: RoutedRequest) {
    this.#clock = clock;
    this.#request = request;
  }

  /** Starts an attempt. Returns the function that records its result. */
  begin({ name }: ModelProvider): (status: number | null, error: AttemptError | null) => void {
    const startedAt = this.#clock.now();
    this.#startedAt ??= startedAt;
    return (status, error) => {
      this.attempts.push({
        provider: name,
        status,
        error,
        duration: this.#clock.now() - startedAt,
      });
    };
  }

  /** Returns the report. Must be called after a successful attempt. */
  toMetadata(): RouterMetadata {
    const { requested, providers, isByok, params } = this.#request;
    const selected = this.attempts.at(-1)?.provider;
    return {
      attempt: this.attempts.length,
      attempts: this.attempts,
      endpoints: {
        total: providers.length,
        available: providers.map(({ name }) => ({ provider: name, selected: name === selected })),
      },
      ...(this.#startedAt !== null && { generation_time: this.#clock.now() - this.#startedAt }),
      is_byok: isByok,
      params,
      pipeline: isByok ? ['check', 'route', 'forward'] : ['check', 'limit', 'route', 'forward'],
      region: null,
      requested,
      strategy: isByok ? 'byok' : providers.length > 1 ? 'failover' : 'direct',
      summary: `available=${providers.length}, selected=${selected ?? 'none'}`,
    };
  }
}
