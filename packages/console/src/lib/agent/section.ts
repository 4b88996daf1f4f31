import type { AgentResource } from '@inlay/protocol';
import { property } from 'lit/decorators.js';
import { Page } from '../page.ts';

/** A section of the page of an agent. */
export abstract class Section extends Page {
  @property({ attribute: false }) agent!: AgentResource;
  /** Loads the agent again after a change. */
  @property({ attribute: false }) reload!: () => Promise<void>;

  /** Path of the agent, in the console and in the API. */
  protected get agentPath(): string {
    return pathOfAgent(this.agent);
  }

  protected get isAdmin(): boolean {
    return this.operator.role === 'admin';
  }

  /** Changes the agent. */
  protected async change(changes: object): Promise<void> {
    await this.api.post(this.agentPath, changes);
    await this.reload();
  }
}

/** Path of an agent, in the console and in the API. */
export function pathOfAgent({ id }: Pick<AgentResource, 'id'>): string {
  return `agents/${encodeURIComponent(id)}`;
}
