import type { WebhookEndpoint } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { Dialog } from './dialog.ts';
import { viewOfTime } from './format.ts';
import { disabledReasons } from './labels.ts';
import { ListPage, viewOfTable } from './list-page.ts';
import { refresh } from './page.ts';
import { readWebhookFields, secretHint, viewOfWebhookFields } from './webhook-form.ts';

const path = 'webhooks';

/** The webhook endpoints, newest first. */
export class WebhooksPage extends ListPage<WebhookEndpoint> {
  readonly heading = 'Webhooks';
  protected readonly path = path;
  protected readonly source = 'webhook_endpoints';
  protected readonly items = 'webhook endpoints';
  protected readonly filters = [];
  protected readonly emptyText =
    html`No webhook endpoints. An endpoint is an address of your backend
    that receives events, such as new messages and failed answers. An operator with the role${' '}
    <code>admin</code> creates one here with “Add endpoint”.`;
  readonly #dialog = new Dialog(this);

  protected override viewOfHeader() {
    return html`
      <header>
        <h1>Webhooks</h1>
        ${
          this.operator.role === 'admin'
            ? html`<button class="primary" @click=${this.#create}>Add endpoint</button>`
            : nothing
        }
      </header>
      ${this.#dialog.view()}
    `;
  }

  protected viewOfItems(endpoints: readonly WebhookEndpoint[]) {
    return viewOfTable(
      ['Endpoint', 'Events', 'Status', { number: 'Created' }],
      endpoints.map(viewOfRow),
      'labelled',
    );
  }

  readonly #create = () => {
    this.#dialog.form({
      heading: 'Add an endpoint',
      fields: viewOfWebhookFields(),
      submit: 'Add endpoint',
      action: async (data) => {
        const created = await this.api.post<WebhookEndpoint>(this.source, readWebhookFields(data));
        this.#dialog.secret({
          heading: 'Secret of the endpoint',
          label: 'Secret',
          secret: created.secret ?? '',
          hint: secretHint,
        });
        await refresh(this.list);
      },
    });
  };
}

function viewOfRow(endpoint: WebhookEndpoint) {
  const { id, url, description, events } = endpoint;
  return html`
    <tr>
      <td>
        <a data-row href=${`${path}/${id}`}>${url}</a>
        ${description ? html`<span class="state">${description}</span>` : nothing}
      </td>
      <td data-label="Events" title=${events.join(', ')}>${events.join(', ')}</td>
      <td data-label="Status">${viewOfEndpointStatus(endpoint)}</td>
      <td data-label="Created" class="number">${viewOfTime(endpoint.created_at)}</td>
    </tr>
  `;
}

/** The status of an endpoint, with the reason if it is disabled, and since when it fails. */
export function viewOfEndpointStatus(endpoint: WebhookEndpoint) {
  const { status, disabled_reason: reason, failing_since: failingSince } = endpoint;
  if (status === 'disabled') {
    return html`<span class="state failed"
      >Disabled ${viewOfTime(endpoint.disabled_at)}: ${disabledReasons[reason ?? ''] ?? reason}</span
    >`;
  }
  return failingSince === null
    ? html`<span class="state active">Enabled</span>`
    : html`<span class="state failed">Failing since ${viewOfTime(failingSince)}</span>`;
}
