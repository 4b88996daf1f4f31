import type { ModelFailure } from '@inlay/protocol';
import type { Bus } from '../bus/bus.ts';

/**
 * The agents whose last model call failed, for `diagnose()` of a page. It is kept in memory: a failure
 * is reported until a call succeeds, the agent is changed, or the process restarts, as it does with another API key.
 */
export class ModelFailures {
  readonly #bus: Bus;
  readonly #unsubscribe: () => void;
  readonly #failures = new Map<string, ModelFailure>();

  constructor({ bus }: { readonly bus: Bus }) {
    this.#bus = bus;
    this.#unsubscribe = bus.subscribe((message) => {
      if (message.kind === 'model_called' && message.failure) {
        this.#failures.set(message.agentId, message.failure);
      } else if (message.kind === 'model_called' || message.kind === 'agent_changed') {
        // The changed agent may have another model.
        this.#failures.delete(message.agentId);
      }
    });
  }

  /** Records the end of a model call, in all processes. `failure` is null if the model responded. */
  record(agentId: string, failure: ModelFailure | null): void {
    // Successes are frequent, and other processes need only the first one after a failure.
    if (!failure && !this.#failures.has(agentId)) return;
    void this.#bus.publish({ kind: 'model_called', agentId, failure });
  }

  /** Returns the failure of the agent's last model call; null if it succeeded, or if there was none. */
  find(agentId: string): ModelFailure | null {
    return this.#failures.get(agentId) ?? null;
  }

  close(): void {
    this.#unsubscribe();
  }
}
