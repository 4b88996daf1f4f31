import type { AgentResource } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html } from 'lit';
import { navigate } from '../address.ts';
import { Page, viewOfTask } from '../page.ts';
import type { FieldGroup } from './fields.ts';
import { pathOfAgent } from './section.ts';
import { identityFields, instructionsField, modelField } from './settings-section.ts';

const groups: readonly FieldGroup[] = [
  {
    title: 'Agent',
    fields: [
      ...identityFields,
      {
        pointer: '/short_id',
        label: 'Short id',
        type: 'text',
        isRequired: true,
        hint: 'Your backend names the agent with it: lower-case letters, digits and -.',
      },
    ],
  },
  {
    title: 'Version',
    hint: 'All settings can be changed later.',
    fields: [instructionsField, modelField],
  },
];

/** Creates an agent. */
export class NewAgentPage extends Page {
  readonly heading = 'New agent';

  /** The model of an agent that works. */
  readonly #task = new Task(this, {
    args: () => [],
    task: async (_, { signal }) => {
      const query = { limit: 1 };
      const { data } = await this.api.get<{ data: AgentResource[] }>('agents', query, signal);
      return { model: data[0]?.model };
    },
  });

  override render() {
    return html`
      <header><h1>New agent</h1></header>
      ${
        this.operator.role === 'admin'
          ? viewOfTask(
              this.#task,
              (template) => html`<inlay-console-form
                .groups=${groups}
                .resource=${template}
                .createLabel=${'Create agent'}
                .save=${(settings: object) => this.#create({ ...template, ...settings })}
              ></inlay-console-form>`,
            )
          : html`<p>Only an admin can create agents. <a href="agents">All agents</a></p>`
      }
    `;
  }

  async #create(settings: object) {
    const agent = await this.api.post<AgentResource>('agents', settings);
    navigate(`${pathOfAgent(agent)}/policy`, { replace: true });
    return '';
  }
}
