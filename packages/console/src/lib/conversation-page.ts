import type { Entry } from '@inlay/client';
import type { Feedback, LogEvent, SessionRecord } from '@inlay/protocol';
import { textOf } from '@inlay/protocol/text-of';
import { Task } from '@lit/task';
import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { navigate } from './address.ts';
import { formatCents, formatCount, viewOfTime } from './format.ts';
import { nameOfRating, namesOfReasons, outcomes, statuses } from './labels.ts';
import { Page, viewOfTask } from './page.ts';
import { saveFile } from './save-file.ts';
import { viewOfSteps } from './steps.ts';

/** Events per request. */
const eventPage = 200;

/** The parts of a conversation that the page shows. */
interface Conversation {
  readonly session: SessionRecord;
  readonly ratings: readonly Feedback[];
  /** The newest events, in the order of the log. */
  readonly events: readonly LogEvent[];
}

/** One conversation, read-only. */
export class ConversationPage extends Page {
  readonly heading = 'Conversation';
  /** Events before those that the task has loaded, oldest first. */
  @state() private earlier: readonly LogEvent[] = [];
  @state() private hasEarlier = false;
  @state() private error = '';
  readonly #entries = import('@inlay/client/log').then(({ entriesOf }) => entriesOf);
  readonly #elements = import('@inlay/elements/messages').then(({ defineMessages }) =>
    defineMessages(),
  );

  readonly #task = new Task(this, {
    args: () => [this.#id],
    task: async ([id], { signal }): Promise<Conversation & { entriesOf: EntriesOf }> => {
      const path = `sessions/${id}`;
      const [session, { data: ratings }, events, entriesOf] = await Promise.all([
        this.api.get<SessionRecord>(path, {}, signal),
        this.api.get<{ data: readonly Feedback[] }>(`${path}/feedback`, {}, signal),
        this.#loadEvents(undefined, signal),
        this.#entries,
        this.#elements,
      ]);
      this.earlier = [];
      return { session, ratings, events, entriesOf };
    },
  });

  override render() {
    return viewOfTask(this.#task, ({ entriesOf, ...conversation }) => {
      const { session, ratings, events } = conversation;
      const byEvent = new Map(ratings.map(({ event_id, rating }) => [event_id, rating]));
      return html`
        <header>
          <h1 dir="auto">${session.title ?? session.preview ?? 'Conversation'}</h1>
          <div class="actions">
            <button @click=${() => this.#export(session)}>Export</button>
            ${
              this.operator.role === 'admin'
                ? html`<button class="danger" @click=${() => this.#delete(session)}>Delete</button>`
                : nothing
            }
          </div>
        </header>
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
        <div class="conversation">
          <h2 class="hidden">Messages</h2>
          ${
            events.length === 0
              ? html`<p class="empty">No messages yet.</p>`
              : html`<inlay-message-list
                  .entries=${entriesOf([...this.earlier, ...events], byEvent)}
                  .agentName=${session.agent.name}
                  .running=${session.status === 'running'}
                  .locked=${true}
                  .hasEarlier=${this.hasEarlier}
                  .loadFile=${(id: string, signal?: AbortSignal) =>
                    this.api.file(`files/${id}/content`, {}, signal)}
                  @inlay-load-earlier=${() => this.#loadEarlier(events)}
                ></inlay-message-list>`
          }
          ${viewOfDetails(session, ratings, [...this.earlier, ...events])}
        </div>
      `;
    });
  }

  get #id(): string {
    return this.address.path.split('/')[1] ?? '';
  }

  async #loadEvents(before: number | undefined, signal?: AbortSignal): Promise<LogEvent[]> {
    const { data } = await this.api.get<{ data: LogEvent[] }>(
      `sessions/${this.#id}/events`,
      { order: 'desc', limit: eventPage, before_seq: before },
      signal,
    );
    this.hasEarlier = data.length === eventPage;
    return data.reverse();
  }

  async #loadEarlier(events: readonly LogEvent[]) {
    const first = this.earlier[0] ?? events[0];
    try {
      const page = await this.#loadEvents(first?.seq);
      this.earlier = [...page, ...this.earlier];
    } catch (error) {
      this.error = (error as Error).message;
    }
  }

  async #export({ id }: SessionRecord) {
    try {
      saveFile(await this.api.file(`sessions/${id}/export`), `${id}.md`);
    } catch (error) {
      this.error = (error as Error).message;
    }
  }

  async #delete({ id }: SessionRecord) {
    if (!confirm('Delete this conversation with its files? This cannot be undone.')) return;
    try {
      await this.api.delete(`sessions/${id}`);
      navigate('conversations', { replace: true });
    } catch (error) {
      this.error = (error as Error).message;
    }
  }
}

type EntriesOf = (
  events: readonly LogEvent[],
  ratings: ReadonlyMap<string, 'up' | 'down'>,
) => readonly Entry[];

function viewOfDetails(
  session: SessionRecord,
  ratings: readonly Feedback[],
  events: readonly LogEvent[],
) {
  const { external_user_id: person, usage, outcome, publishable_key: key } = session;
  const rows: readonly (readonly [string, unknown])[] = [
    [
      'User',
      html`<a href="people/${session.agent.id}/${encodeURIComponent(person)}">${person}</a>`,
    ],
    ['Agent', `${session.agent.name}, version ${session.agent_version}`],
    ['Status', statuses[session.status] ?? session.status],
    ['Last answer', outcome === null ? null : (outcomes[outcome] ?? outcome)],
    ['Started', viewOfTime(session.created_at)],
    ['Active', viewOfTime(session.active_at)],
    ['Cost', formatCents(session.spent_cents)],
    ['Tokens', `${formatCount(usage.input_tokens)} in, ${formatCount(usage.output_tokens)} out`],
    ['Publishable key', key],
    ['Ended because', session.terminated_reason],
    ...Object.entries(session.metadata),
    ['Id', html`<code>${session.id}</code>`],
  ];
  return html`
    <aside aria-label="Details">
      <h2 class="hidden">Details</h2>
      <dl>
        ${rows.map(([name, value]) =>
          value ? html`<dt>${name}</dt><dd dir="auto">${value}</dd>` : nothing,
        )}
      </dl>
      ${viewOfSteps(events)}
      ${
        ratings.length === 0
          ? nothing
          : html`<h2>Ratings</h2>
              <ul class="ratings">
                ${ratings.map((rating) => viewOfRating(rating, events))}
              </ul>`
      }
    </aside>
  `;
}

/** A rating, with the start of the rated message if that is loaded. */
function viewOfRating(feedback: Feedback, events: readonly LogEvent[]) {
  const { rating, comment, created_at, event_id } = feedback;
  const rated = events.find(({ id }) => id === event_id);
  const text = rated?.type === 'agent.message' ? textOf(rated.content).slice(0, 120) : '';
  return html`
    <li>
      <strong class="rating ${rating}">${nameOfRating(rating)}</strong>
      ${namesOfReasons(feedback)} ${viewOfTime(created_at)}
      ${comment ? html`<blockquote dir="auto">${comment}</blockquote>` : nothing}
      ${text ? html`<p dir="auto">${text}</p>` : nothing}
    </li>
  `;
}
