import type { WebhookDelivery, WebhookEndpoint, WebhookReplay } from '@inlay/protocol';
import { Task, TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { Actions } from './actions.ts';
import { navigate } from './address.ts';
import { Dialog } from './dialog.ts';
import type { Filter } from './filters.ts';
import { formatCount, viewOfTime } from './format.ts';
import { deliveryStatuses } from './labels.ts';
import { ListPage, viewOfTable } from './list-page.ts';
import { refresh, viewOfTask } from './page.ts';
import { readWebhookFields, secretHint, viewOfWebhookFields } from './webhook-form.ts';
import { viewOfEndpointStatus } from './webhooks-page.ts';

/** Milliseconds between two requests for the result of a delivery. */
const pollInterval = 1000;
/** Maximum requests for it: longer than an attempt may take. */
const maximumPolls = 20;

/** One webhook endpoint, and its deliveries, newest first. */
export class WebhookPage extends ListPage<WebhookDelivery> {
  readonly heading = 'Webhook';
  protected readonly items = 'deliveries';
  protected readonly emptyText =
    'No deliveries in the last 30 days. An admin sends the first event with “Send test”.';
  protected readonly filters: readonly Filter[] = [
    { name: 'status', label: 'Status', options: deliveryStatuses },
  ];
  readonly #actions = new Actions(this);
  readonly #dialog = new Dialog(this);
  /** Id of the delivery whose details are shown. */
  @state() private opened: string | null = null;
  @state() private notice = '';

  readonly #endpoint = new Task(this, {
    args: () => [this.path],
    task: (_, { signal }) => this.api.get<WebhookEndpoint>(this.#source, {}, signal),
  });

  protected get path() {
    return this.address.path;
  }

  protected get source() {
    return `${this.#source}/deliveries`;
  }

  get #source(): string {
    return `webhook_endpoints/${this.path.split('/')[1]}`;
  }

  override render() {
    const isMissing = this.#endpoint.status === TaskStatus.ERROR;
    if (!isMissing) return super.render();
    return html`<header><h1>Webhook</h1></header>
      ${this.viewOfHeader()}`;
  }

  protected override viewOfHeader() {
    return html`${viewOfTask(this.#endpoint, (endpoint) => this.#viewOfEndpoint(endpoint))}`;
  }

  #viewOfEndpoint(endpoint: WebhookEndpoint) {
    const previousEnd = endpoint.previous_secret_ends_at;
    const isReplaced = previousEnd !== null && Date.parse(previousEnd) > Date.now();
    return html`
      <header>
        <h1>${endpoint.url}</h1>
        ${this.operator.role === 'admin' ? this.#viewOfActions(endpoint) : nothing}
      </header>
      ${this.#actions.viewOfError()}
      ${this.notice ? html`<p class="notice" role="status">${this.notice}</p>` : nothing}
      ${this.#dialog.view()}
      <dl class="facts">
        <div><dt>Status</dt><dd>${viewOfEndpointStatus(endpoint)}</dd></div>
        <div><dt>Events</dt><dd>${endpoint.events.join(', ')}</dd></div>
        <div>
          <dt>Content</dt>
          <dd>${endpoint.include.includes('text') ? 'Ids and texts' : 'Ids only'}</dd>
        </div>
        ${
          endpoint.description
            ? html`<div><dt>Description</dt><dd>${endpoint.description}</dd></div>`
            : nothing
        }
        <div><dt>Created</dt><dd>${viewOfTime(endpoint.created_at)}</dd></div>
        ${
          isReplaced
            ? html`<div><dt>Old secret ends</dt><dd>${viewOfTime(previousEnd)}</dd></div>`
            : nothing
        }
      </dl>
      <h2>Deliveries</h2>
    `;
  }

  #viewOfActions(endpoint: WebhookEndpoint) {
    const isEnabled = endpoint.status === 'enabled';
    return html`<div class="actions">
      ${
        isEnabled
          ? html`<button class="primary" @click=${this.#test}>Send test</button>
              <button @click=${this.#replay}>Replay</button>`
          : nothing
      }
      <button @click=${() => this.#edit(endpoint)}>Edit</button>
      <button @click=${this.#rotate}>Rotate secret</button>
      <button @click=${() => this.#setDisabled(isEnabled)}>
        ${isEnabled ? 'Disable' : 'Enable'}
      </button>
      <button class="danger" @click=${this.#delete}>Delete</button>
    </div>`;
  }

  protected viewOfItems(deliveries: readonly WebhookDelivery[]) {
    return viewOfTable(
      ['Event', 'Status', 'Response', { number: 'Attempts' }, { number: 'Time' }],
      deliveries.map((delivery) => this.#viewOfDelivery(delivery)),
      'labelled deliveries',
    );
  }

  #viewOfDelivery(delivery: WebhookDelivery) {
    const { id, response, error } = delivery;
    const { state, label } = stateOf(delivery);
    const isOpen = this.opened === id;
    return html`
      <tr>
        <td>
          <button
            class="disclosure"
            data-row
            aria-expanded=${isOpen}
            @click=${() => {
              this.opened = isOpen ? null : id;
            }}
          >
            ${delivery.event_type}
          </button>
        </td>
        <td data-label="Status">
          <span class="state ${state}">${label}</span>
        </td>
        <td data-label="Response">${response?.status ?? error ?? nothing}</td>
        <td data-label="Attempts" class="number">${formatCount(delivery.attempts)}</td>
        <td data-label="Time" class="number">${viewOfTime(delivery.created_at)}</td>
      </tr>
      ${
        isOpen
          ? html`<tr class="details"><td colspan="5">${this.#viewOfDetails(delivery)}</td></tr>`
          : nothing
      }
    `;
  }

  #viewOfDetails(delivery: WebhookDelivery) {
    const { id, error, response, next_attempt_at: next, last_attempt_at: last } = delivery;
    const canSend = this.operator.role === 'admin' && this.#endpoint.value?.status === 'enabled';
    return html`
      <dl class="facts">
        <div><dt>Id</dt><dd><code>${id}</code></dd></div>
        ${last ? html`<div><dt>Last attempt</dt><dd>${viewOfTime(last)}</dd></div>` : nothing}
        ${next ? html`<div><dt>Next attempt</dt><dd>${viewOfTime(next)}</dd></div>` : nothing}
        ${error ? html`<div><dt>Error</dt><dd>${error}</dd></div>` : nothing}
      </dl>
      <h3>Data of the event</h3>
      <pre tabindex="0">${JSON.stringify(delivery.data, null, 2)}</pre>
      ${
        response
          ? html`<h3>Response ${response.status}</h3>
              ${
                response.body
                  ? html`<pre tabindex="0">${response.body}</pre>`
                  : html`<p class="hint">It has no body.</p>`
              }`
          : nothing
      }
      ${canSend ? html`<button @click=${() => this.#resend(id)}>Send again</button>` : nothing}
    `;
  }

  readonly #test = () =>
    this.#perform(null, async () => {
      const delivery = await this.api.post<WebhookDelivery>(`${this.#source}/test`);
      this.opened = delivery.id;
      // The filters or the page may leave the delivery out.
      if (this.query.toString() !== '') navigate(this.path);
      await this.#follow(delivery);
    });

  #resend(id: string) {
    return this.#perform(null, async () => {
      await this.#follow(
        await this.api.post<WebhookDelivery>(`${this.#source}/deliveries/${id}/resend`),
      );
    });
  }

  readonly #replay = () => {
    this.#dialog.form({
      heading: 'Replay a period',
      fields: html`
        <p>
          Sends all deliveries of the events of this period again, also those that were delivered.
          Your backend knows them by their <code>webhook-id</code>.
        </p>
        <label>From, in your time zone <input name="from" type="datetime-local" required autofocus /></label>
        <label>To, in your time zone <input name="to" type="datetime-local" required /></label>
      `,
      submit: 'Replay',
      action: async (data) => {
        const { queued } = await this.api.post<WebhookReplay>(`${this.#source}/replay`, {
          from: timeOf(data.get('from')),
          to: timeOf(data.get('to')),
        });
        this.#dialog.close();
        this.notice = `${formatCount(queued)} ${queued === 1 ? 'delivery is' : 'deliveries are'} sent again.`;
        await this.#reload();
      },
    });
  };

  #edit(endpoint: WebhookEndpoint) {
    this.#dialog.form({
      heading: 'Edit the endpoint',
      fields: viewOfWebhookFields(endpoint),
      submit: 'Save',
      action: async (data) => {
        await this.api.post(this.#source, readWebhookFields(data));
        this.#dialog.close();
        await this.#reload();
      },
    });
  }

  readonly #rotate = () =>
    this.#perform('Replace the secret? For 24 hours, events are signed with both.', async () => {
      const { secret } = await this.api.post<WebhookEndpoint>(`${this.#source}/rotate_secret`);
      this.#dialog.secret({
        heading: 'New secret of the endpoint',
        label: 'Secret',
        secret: secret ?? '',
        hint: secretHint,
      });
      await this.#reload();
    });

  #setDisabled(disabled: boolean) {
    const question = disabled ? 'Disable this endpoint? It receives no more events.' : null;
    return this.#perform(question, async () => {
      await this.api.post(this.#source, { disabled });
      if (!disabled) this.notice = 'Enabled. “Replay” sends what the endpoint has missed.';
      await this.#reload();
    });
  }

  readonly #delete = () =>
    this.#perform('Delete this endpoint with its deliveries? This cannot be undone.', async () => {
      await this.api.delete(this.#source);
      navigate('webhooks', { replace: true });
    });

  #perform(question: string | null, action: () => Promise<void>) {
    this.notice = '';
    return this.#actions.perform(question, action);
  }

  async #reload(): Promise<void> {
    await Promise.all([refresh(this.#endpoint), refresh(this.list)]);
  }

  /** Loads the deliveries until the next attempt of one of them has ended. */
  async #follow({ id, attempts }: WebhookDelivery): Promise<void> {
    for (let polls = 0; polls < maximumPolls && this.isConnected; polls += 1) {
      await this.#reload();
      const delivery = this.list.value?.data.find((each) => each.id === id);
      const isWaiting = delivery?.status === 'queued' && delivery.attempts === attempts;
      if (delivery?.status !== 'in_progress' && !isWaiting) return;
      await new Promise((resolve) => setTimeout(resolve, pollInterval));
    }
  }
}

/** The status of a delivery; one that waits after a failed attempt is shown as failed. */
function stateOf({ status, error }: WebhookDelivery) {
  if (status === 'queued' && error !== null)
    return { state: 'failed', label: 'Failed, will retry' };
  return { state: status, label: deliveryStatuses[status] ?? status };
}

/** A local time of a form, in RFC 3339. */
function timeOf(value: FormDataEntryValue | null): string {
  return new Date(String(value)).toISOString();
}
