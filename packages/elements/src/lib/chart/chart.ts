import { html, LitElement, nothing, svg } from 'lit';
import { property, state } from 'lit/decorators.js';
import { focusWhenScrollable } from '../focusable-scrollers.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { styles } from './chart.styles.ts';
import {
  type ChartBlock,
  type NumberFormats,
  numberFormats,
  slicesOf,
  summaryOf,
  valueAt,
  valuesOf,
} from './chart-data.ts';
import { drawColumns, hasRoomForColumns } from './columns.ts';
import { renderHorizontalBars } from './horizontal-bars.ts';
import { drawLines, markOf } from './lines.ts';
import { drawPie, pieSize } from './pie.ts';
import { type Plot, patterns, plotHeight } from './plot.ts';
import { scaleFor } from './scale.ts';

/**
 * @summary A chart of a card with bars, lines or a pie, and a table that can be opened. Series also
 * differ in pattern, mark or text, not only in colour.
 *
 * @csspart chart - The box.
 * @csspart plot - The drawing.
 * @csspart legend - The names of the series or slices.
 * @csspart numbers - The table.
 * @internal
 */
export class InlayChart extends LitElement {
  static override styles = [base, styles];

  readonly #resizeObserver = new ResizeObserver(([entry]) => {
    // A synchronous update could change the height, which would cause a ResizeObserver loop error.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.width = Math.floor(entry?.contentRect.width ?? 0);
    });
  });
  #frame = 0;

  /** Available width in pixels. */
  @state() private width = 0;

  /** The chart to draw. */
  @property({ attribute: false }) chart: ChartBlock | null = null;

  /** Whether the numbers can be shown as a table. */
  @property({ attribute: false }) hasTable = true;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  override connectedCallback() {
    super.connectedCallback();
    this.#resizeObserver.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#resizeObserver.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** Measures the width for the first render, so that the chart does not change its height afterwards. */
  protected override willUpdate() {
    this.width ||= Math.floor(this.getBoundingClientRect().width);
  }

  #renderSwatch(index: number, kind: ChartBlock['kind']) {
    const style = index % 6;
    return html`<svg class="swatch c${style}" viewBox="0 0 16 16" aria-hidden="true">
      ${
        kind === 'line'
          ? svg`<path class="line d${style}" d="M0 8h16" /><path class="point" transform="translate(8 8)" d=${markOf(index)} />`
          : svg`${patterns}<rect class="area" width="16" height="16" rx="4" />
            ${style > 0 ? svg`<rect class="pattern" width="16" height="16" rx="4" fill="url(#pattern-${style})" />` : nothing}`
      }
    </svg>`;
  }

  #renderLegend({ kind, series }: ChartBlock) {
    if (!series.some(({ label }) => label)) return nothing;
    return html`<ul class="legend" part="legend" aria-hidden="true">
      ${series.map(
        ({ label }, index) => html`<li>${this.#renderSwatch(index, kind)} <bdi>${label}</bdi></li>`,
      )}
    </ul>`;
  }

  #renderPie(chart: ChartBlock, numbers: NumberFormats) {
    const slices = slicesOf(chart, this.strings);
    return html`<div class="pie" part="plot" role="img" aria-label=${summaryOf(chart, this.strings)}>
      <svg class="ring" viewBox="-1 -1 ${pieSize + 2} ${pieSize + 2}">
        ${drawPie(slices, numbers)}
      </svg>
      <ul class="shares" part="legend">
        ${slices.map(
          ({ label, value, share }, index) =>
            html`<li>
              ${this.#renderSwatch(index, 'pie')} <span class="name"><bdi>${label}</bdi></span>
              <span class="share"><bdi>${numbers.share(share)}</bdi></span>
              <span class="amount"><bdi>${numbers.full(value)}</bdi></span>
            </li>`,
        )}
      </ul>
    </div>`;
  }

  #renderAxes(chart: ChartBlock, numbers: NumberFormats) {
    const scale = scaleFor(valuesOf(chart), 4, chart.kind === 'bar');
    const plot: Plot = { chart, numbers, scale, width: this.width, height: plotHeight };
    const summary = summaryOf(chart, this.strings);
    if (chart.kind === 'bar' && !hasRoomForColumns(plot)) {
      return html`<div part="plot" role="img" aria-label=${summary}>
        ${renderHorizontalBars(chart, numbers, scale)}
      </div>`;
    }
    return html`<svg
      class="plot"
      part="plot"
      role="img"
      aria-label=${summary}
      width=${this.width}
      height=${plotHeight}
    >
      ${patterns} ${chart.kind === 'bar' ? drawColumns(plot) : drawLines(plot)}
    </svg>`;
  }

  #renderPlot(chart: ChartBlock, numbers: NumberFormats) {
    const values = valuesOf(chart);
    const isEmpty = chart.kind === 'pie' ? !values.some((value) => value > 0) : values.length === 0;
    if (isEmpty) return html`<p class="empty"><bdi>${this.strings.chartEmpty}</bdi></p>`;
    if (chart.kind === 'pie') return this.#renderPie(chart, numbers);
    // The element is hidden.
    if (this.width === 0) return html`<div class="plot"></div>`;
    return html`${this.#renderLegend(chart)} ${this.#renderAxes(chart, numbers)}`;
  }

  #renderNumbers({ labels, series }: ChartBlock, numbers: NumberFormats) {
    const { strings } = this;
    return html`<details>
      <summary>${icons.chevron} ${strings.chartNumbers}</summary>
      <div class="numbers" part="numbers" role="region" aria-label=${strings.table}>
        <table>
          <thead>
            <tr>
              <th scope="col"><span class="visually-hidden">${strings.chartOf}</span></th>
              ${series.map(
                ({ label }) => html`<th scope="col"><bdi>${label || strings.chartValue}</bdi></th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${labels.map(
              (label, index) =>
                html`<tr>
                  <th scope="row"><bdi>${label}</bdi></th>
                  ${series.map((each) => {
                    const value = valueAt(each, index);
                    return html`<td><bdi>${value === null ? '–' : numbers.full(value)}</bdi></td>`;
                  })}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  protected override updated() {
    for (const box of this.renderRoot.querySelectorAll<HTMLElement>('.numbers'))
      focusWhenScrollable(box);
  }

  protected override render() {
    const { chart } = this;
    if (!chart) return nothing;
    const numbers = numberFormats(chart, this.strings);
    return html`<figure part="chart">
      ${this.#renderPlot(chart, numbers)}
      ${this.hasTable ? this.#renderNumbers(chart, numbers) : nothing}
    </figure>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-chart': InlayChart;
  }
}
