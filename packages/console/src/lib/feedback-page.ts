import type { FeedbackRecord } from '@inlay/protocol';
import { html, nothing } from 'lit';
import type { Filter } from './filters.ts';
import { viewOfTime } from './format.ts';
import { nameOfRating, namesOfReasons } from './labels.ts';
import { ListPage } from './list-page.ts';

/** The ratings of all users, newest first. */
export class FeedbackPage extends ListPage<FeedbackRecord> {
  readonly heading = 'Feedback';
  protected readonly path = 'feedback';
  protected readonly source = 'feedback';
  protected readonly items = 'ratings';
  protected readonly emptyText = 'No ratings yet. Users rate an answer with the buttons below it.';
  protected readonly filters: readonly Filter[] = [
    { name: 'rating', label: 'Rating', options: { up: 'Good', down: 'Bad' } },
    { name: 'agent_id', label: 'Agent', type: 'search' },
  ];

  protected viewOfItems(ratings: readonly FeedbackRecord[]) {
    return html`<ul class="feedback">
      ${ratings.map(viewOfRating)}
    </ul>`;
  }
}

function viewOfRating(feedback: FeedbackRecord) {
  const { rating, comment, question, text, session, created_at } = feedback;
  return html`
    <li>
      <p class="meta">
        <strong class="rating ${rating}">${nameOfRating(rating)}</strong>
        ${namesOfReasons(feedback)}
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
