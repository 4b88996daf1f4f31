import type { FeedbackRecord } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html, nothing } from 'lit';
import { type Filter, viewOfFilters } from './filters.ts';
import { viewOfTime } from './format.ts';
import { reasons } from './labels.ts';
import { Page, viewOfTask } from './page.ts';
import { pageSize, viewOfPager } from './pager.ts';

interface FeedbackRecords {
  readonly data: readonly FeedbackRecord[];
  readonly next_page: string | null;
}

const path = 'feedback';

const filters: readonly Filter[] = [
  { name: 'rating', label: 'Rating', options: { up: 'Good', down: 'Bad' } },
  { name: 'agent_id', label: 'Agent', type: 'search' },
];

/** The ratings of all people, the latest first. */
export class FeedbackPage extends Page {
  readonly heading = 'Feedback';

  readonly #task = new Task(this, {
    args: () => [this.address.query.toString()],
    task: ([query], { signal }) =>
      this.api.get<FeedbackRecords>(
        'feedback',
        { ...Object.fromEntries(new URLSearchParams(query)), limit: pageSize },
        signal,
      ),
  });

  override render() {
    const { query } = this.address;
    return html`
      <header><h1>Feedback</h1></header>
      ${viewOfFilters(path, filters, query)}
      ${viewOfTask(this.#task, ({ data, next_page }) =>
        data.length === 0
          ? html`<p class="empty">
              ${
                query.size > 0
                  ? html`No rating matches these filters. <a href=${path}>Clear filters</a>`
                  : 'No ratings yet. People rate an answer with the thumbs below it.'
              }
            </p>`
          : html`
              <ul class="feedback">
                ${data.map(viewOfRating)}
              </ul>
              ${viewOfPager(path, Object.fromEntries(query), next_page)}
            `,
      )}
    `;
  }
}

function viewOfRating({
  rating,
  reasons: given = [],
  comment,
  question,
  text,
  session,
  created_at,
}: FeedbackRecord) {
  return html`
    <li>
      <p class="meta">
        <strong class="rating ${rating}">${rating === 'up' ? 'Good' : 'Bad'}</strong>
        ${given.map((reason) => reasons[reason] ?? reason).join(', ')}
        <span>${session.external_user_id}, ${session.agent.name} ${session.agent_version}</span>
        ${viewOfTime(created_at)}
      </p>
      ${comment ? html`<blockquote dir="auto">${comment}</blockquote>` : nothing}
      ${question ? html`<p class="question" dir="auto">${question}</p>` : nothing}
      <p class="answer" dir="auto">
        <a data-row href=${`conversations/${session.id}`}>${text}</a>
      </p>
    </li>
  `;
}
