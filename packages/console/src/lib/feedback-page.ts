import type { FeedbackRecord } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { addressOf } from './address.ts';
import { loadAgentNames } from './agents.ts';
import type { Filter } from './filters.ts';
import { viewOfTime } from './format.ts';
import { nameOfRating, namesOfReasons } from './labels.ts';
import { ListPage, viewOfTable } from './list-page.ts';
import { amounts, firstDayOf, loadUsage } from './usage-report.ts';
import { nameOf, type Report, viewOfAmount } from './usage-table.ts';

/** Days of the ratings by version. */
const trendDays = 90;
/** Maximum rows of the ratings by version; the list below has 50. */
const maximumVersions = 8;
const ratings = amounts.filter(({ name }) => name.startsWith('ratings_'));
const percent = new Intl.NumberFormat('en', { style: 'percent' });
const { compare: order } = new Intl.Collator('en', { numeric: true });

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
    { name: 'version', label: 'Version of the agent', type: 'search' },
    { name: 'after', label: 'Since (UTC)', type: 'date' },
    { name: 'before', label: 'Before (UTC)', type: 'date' },
  ];

  /** The ratings by version, which do not depend on the filters. */
  #trend: Report | null = null;

  protected override async load(query: Readonly<Record<string, string>>, signal: AbortSignal) {
    const [page, trend] = await Promise.all([
      super.load(query, signal),
      this.#trend ?? this.#loadTrend(signal),
    ]);
    this.#trend = trend;
    return page;
  }

  async #loadTrend(signal: AbortSignal): Promise<Report> {
    const from = firstDayOf(trendDays);
    const by = ['agent', 'version'] as const;
    const [{ data, to }, names] = await Promise.all([
      loadUsage(this.api, { from }, by, signal),
      loadAgentNames(this.api, signal),
    ]);
    return { range: { from, to }, by, names, rows: data };
  }

  protected override viewOfHeader() {
    return html`${super.viewOfHeader()} ${this.#trend && viewOfTrend(this.#trend)}`;
  }

  protected viewOfItems(ratings: readonly FeedbackRecord[]) {
    return html`<ul class="feedback">
      ${ratings.map(viewOfRating)}
    </ul>`;
  }
}

/** The latest versions that were rated, with the share of good ratings. */
function viewOfTrend({ names, range, rows }: Report) {
  const rated = rows
    .filter((row) => row.ratings_up + row.ratings_down > 0)
    .sort(
      (a, b) =>
        order(nameOf(a, 'agent', names), nameOf(b, 'agent', names)) ||
        order(b.version ?? '', a.version ?? ''),
    );
  if (rated.length === 0) return nothing;
  return html`
    <h2>By version, ${trendDays} days</h2>
    ${viewOfTable(
      [
        'Agent',
        'Version',
        { number: 'Good share' },
        ...ratings.map(({ label }) => ({ number: label })),
      ],
      rated.slice(0, maximumVersions).map((row) => {
        const share = row.ratings_up / (row.ratings_up + row.ratings_down);
        return html`<tr>
          <td>
            ${nameOf(row, 'agent', names)}
            <span class="share" .style=${`inline-size: ${100 * share}%`}></span>
          </td>
          <td data-label="Version">
            <a href=${addressOf('feedback', { agent_id: row.agent ?? '', version: row.version ?? '' })}
              >${row.version}</a
            >
          </td>
          <td class="number" data-label="Good share">${percent.format(share)}</td>
          ${ratings.map((amount) => viewOfAmount(amount, row, range))}
        </tr>`;
      }),
      'report',
    )}
    ${
      rated.length > maximumVersions
        ? html`<p><a href=${`usage?days=${trendDays}&group_by=agent&then_by=version`}>All versions</a></p>`
        : nothing
    }
    <h2>Ratings</h2>
  `;
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
