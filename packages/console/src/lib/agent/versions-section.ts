import type { AgentVersionResource } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html, nothing } from 'lit';
import { Actions } from '../actions.ts';
import { addressOf } from '../address.ts';
import { viewOfFilterForm } from '../filters.ts';
import { viewOfTime } from '../format.ts';
import { viewOfTable } from '../list-page.ts';
import { viewOfTask } from '../page.ts';
import { diffLines } from './diff-lines.ts';
import { Section } from './section.ts';

/** Value of `from` for a version that is shown as a whole. */
const nothingBefore = 'none';

/** The versioned settings, as lines. */
const parts: readonly (readonly [string, (version: AgentVersionResource) => string[]])[] = [
  ['Instructions', ({ instructions }) => (instructions === '' ? [] : instructions.split('\n'))],
  ['Model', ({ model }) => jsonLines(model)],
  ['Tools', ({ tools }) => jsonLines(tools)],
  ['Modes', ({ modes }) => jsonLines(modes)],
];

/** The versions of an agent, and the difference between two of them. */
export class VersionsSection extends Section {
  readonly heading = 'Versions';
  readonly #actions = new Actions(this);

  readonly #task = new Task(this, {
    // A new version, and a change of the default or of the latest version.
    args: () => [this.agent],
    task: async ([{ id }], { signal }) => {
      const path = `agents/${encodeURIComponent(id)}/versions`;
      const { data } = await this.api.get<{ data: AgentVersionResource[] }>(path, {}, signal);
      return data;
    },
  });

  protected override render() {
    return html`
      ${this.#actions.viewOfError()}
      ${viewOfTask(this.#task, (versions) => {
        const to = this.address.query.get('to');
        return to === null ? this.#viewOfList(versions) : this.#viewOfDifference(versions, to);
      })}
    `;
  }

  get #path(): string {
    return `${this.agentPath}/versions`;
  }

  #viewOfList(versions: readonly AgentVersionResource[]) {
    return html`
      <p class="hint">
        A change of instructions, model, tools or modes creates a version. New conversations get the
        version in use, and keep it.
      </p>
      ${viewOfTable(
        ['Version', 'State', { number: 'Created' }, ...(this.isAdmin ? ['Actions'] : [])],
        versions.map((version) => this.#viewOfRow(version)).reverse(),
        'versions',
      )}
    `;
  }

  #viewOfRow({ version, default: isDefault, created_at: createdAt }: AgentVersionResource) {
    const isLatest = version === this.agent.version;
    const state = [isDefault ? 'In use' : '', isLatest ? 'Latest' : ''].filter(Boolean).join(', ');
    return html`
      <tr>
        <td><a data-row href=${addressOf(this.#path, { to: version })}>${version}</a></td>
        <td data-label="State">${
          state === ''
            ? nothing
            : html`<span class="state ${isDefault ? 'active' : ''}">${state}</span>`
        }</td>
        <td data-label="Created" class="number">
          ${createdAt === null ? 'In the file' : viewOfTime(createdAt)}
        </td>
        ${
          this.isAdmin
            ? html`<td>
                ${
                  isDefault || !this.agent.embed
                    ? nothing
                    : html`<button
                        ?disabled=${this.#actions.isBusy}
                        @click=${() => this.#use(version, isLatest)}
                      >
                        Use
                      </button>`
                }
              </td>`
            : nothing
        }
      </tr>
    `;
  }

  #use(version: string, isLatest: boolean) {
    const question = `Use version ${version} for new conversations of ${this.agent.name}?`;
    return this.#actions.perform(question, () =>
      this.change({ embed: { pinned_version: isLatest ? null : version } }),
    );
  }

  #viewOfDifference(versions: readonly AgentVersionResource[], to: string) {
    const find = (name: string) => versions.find(({ version }) => version === name);
    const after = find(to);
    if (!after) {
      return html`<p>There is no such version. <a href=${this.#path}>All versions</a></p>`;
    }
    const previous = versions[versions.indexOf(after) - 1]?.version ?? nothingBefore;
    const from = this.address.query.get('from') ?? previous;
    const before = find(from);
    const names = Object.fromEntries(versions.map(({ version }) => [version, version]));
    const filters = [
      {
        name: 'from',
        label: 'From',
        options: { [nothingBefore]: 'Nothing', ...names },
        isRequired: true,
      },
      { name: 'to', label: 'To', options: names, isRequired: true },
    ];
    const differences = parts.flatMap(([label, linesOf]) => {
      const [removed, added] = [before ? linesOf(before) : [], linesOf(after)];
      return JSON.stringify(removed) === JSON.stringify(added)
        ? []
        : [viewOfPart(label, removed, added)];
    });
    return html`
      <p><a href=${this.#path}>All versions</a></p>
      <div class="filters">${viewOfFilterForm(this.#path, filters, new URLSearchParams({ from, to }))}</div>
      ${differences.length > 0 ? differences : html`<p class="empty">These versions are equal.</p>`}
    `;
  }
}

function viewOfPart(label: string, before: readonly string[], after: readonly string[]) {
  return html`
    <h2>${label}</h2>
    <div class="difference" role="region" tabindex="0" aria-label=${label}>
      ${diffLines(before, after).map((line) => {
        if (typeof line === 'number') {
          return html`<p class="gap">${line === 1 ? '1 equal line' : `${line} equal lines`}</p>`;
        }
        const { change, text } = line;
        if (change === '-') return html`<del>${text}</del>`;
        return change === '+' ? html`<ins>${text}</ins>` : html`<span>${text}</span>`;
      })}
    </div>
  `;
}

function jsonLines(value: unknown): string[] {
  return JSON.stringify(value, null, 2).split('\n');
}
