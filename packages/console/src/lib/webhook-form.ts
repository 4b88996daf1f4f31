import { type WebhookEndpoint, webhookEventTypes } from '@inlay/protocol';
import { html } from 'lit';

/** Renders the fields of a webhook endpoint; without one, those of a new one. */
export function viewOfWebhookFields(endpoint?: WebhookEndpoint) {
  return html`
    <label>
      URL
      <input
        name="url"
        type="url"
        maxlength="2048"
        required
        autofocus
        placeholder="https://app.example.com/webhooks"
        .value=${endpoint?.url ?? ''}
      />
    </label>
    <label>
      Description, for operators
      <input name="description" maxlength="500" .value=${endpoint?.description ?? ''} />
    </label>
    <fieldset>
      <legend>Events</legend>
      ${webhookEventTypes.map(
        (type) => html`<label>
          <input
            type="checkbox"
            name="events"
            value=${type}
            ?checked=${endpoint?.events.includes(type)}
          />
          ${type}
        </label>`,
      )}
    </fieldset>
    <label class="check">
      <input
        type="checkbox"
        name="include"
        value="text"
        ?checked=${endpoint?.include.includes('text')}
      />
      Include the texts of messages and feedback; by default, events have ids only
    </label>
  `;
}

/** Reads the fields as the body of a request. */
export function readWebhookFields(data: FormData) {
  return {
    url: String(data.get('url')),
    description: String(data.get('description')) || null,
    events: data.getAll('events'),
    include: data.getAll('include'),
  };
}

/** Shown with a new secret. */
export const secretHint =
  'Your backend checks the signatures of events with it. It cannot be shown again.';
