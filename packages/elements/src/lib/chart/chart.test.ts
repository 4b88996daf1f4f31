import '../../define-all.ts';
import { english } from '../i18n/all-strings.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, until } from '../testing/user.ts';
import type { ChartBlock } from './chart-data.ts';

const months = ['Jan', 'Feb', 'Mar'];

async function setup(overrides: Partial<ChartBlock>, width = 480) {
  const element = mount(document.createElement('inlay-chart'));
  element.style.width = `${width}px`;
  element.chart = {
    type: 'chart',
    kind: 'bar',
    labels: months,
    series: [{ label: 'Orders', values: [3, 12, 5] }],
    ...overrides,
  };
  await element.updateComplete;
  const image = () => until('the chart', () => deepAll(element, '[role=img]')[0]);
  return { element, image };
}

describe('inlay-chart', () => {
  it('passes the accessibility audit as a bar, line and pie chart', async () => {
    for (const kind of ['bar', 'line', 'pie'] as const) {
      const { element, image } = await setup({ kind });
      await image();
      deepAll(element, 'details')[0]?.toggleAttribute('open', true);
      await expectAccessible(element);
    }
  });

  it('has a text alternative that includes the unit, in the language of its strings', async () => {
    const { element, image } = await setup({ unit: '€' });
    expect((await image()).ariaLabel).to.equal(
      'Bar chart. Orders: lowest 3\u00a0€ (Jan), highest 12\u00a0€ (Feb).',
    );

    element.strings = { ...english, chartBar: 'Balken', locale: 'de' };
    await element.updateComplete;
    expect((await image()).ariaLabel).to.match(/^Balken\./);
  });

  it('has a legend, unless its series have no names', async () => {
    const { element, image } = await setup({});
    await image();
    expect(deepAll(element, '[part=legend]')[0]?.textContent?.trim()).to.equal('Orders');

    const nameless = await setup({ series: [{ label: '', values: [3, 12, 5] }] });
    await nameless.image();
    expect(deepAll(nameless.element, '[part=legend]')).to.have.length(0);
  });

  it('has a table of all numbers, with a dash for each missing number', async () => {
    const { element } = await setup({
      series: [
        { label: 'North', values: [1, null, 2500] },
        { label: 'South', values: [4] },
      ],
    });

    const rows = deepAll(element, 'tbody tr').map((row) =>
      [...row.children].map(({ textContent }) => textContent?.trim()),
    );
    expect(rows).to.deep.equal([
      ['Jan', '1', '4'],
      ['Feb', '–', '–'],
      ['Mar', '2,500', '–'],
    ]);
  });

  it('has no table if the page has its own', async () => {
    const { element, image } = await setup({});
    element.hasTable = false;
    await element.updateComplete;

    await image();
    expect(deepAll(element, 'details')).to.have.length(0);
  });

  it('draws vertical bars if they fit, otherwise horizontal bars below their labels', async () => {
    const wide = await setup({});
    await wide.image();
    expect(deepAll(wide.element, '.row')).to.have.length(0);
    expect(deepAll(wide.element, 'path.area')).to.have.length(3);

    const narrow = await setup({ labels: ['A label of some length', 'Another', 'One more'] }, 240);
    await narrow.image();
    expect(deepAll(narrow.element, '.row')).to.have.length(3);
  });

  it('distinguishes series by patterns and marks as well as by colour', async () => {
    const series = ['a', 'b', 'c'].map((label) => ({ label, values: [1, 2, 3] }));
    const bars = await setup({ series });
    await bars.image();
    const fills = deepAll(bars.element, 'path.pattern').map((area) => area.getAttribute('fill'));
    expect(new Set(fills)).to.deep.equal(new Set(['url(#pattern-1)', 'url(#pattern-2)']));

    const lines = await setup({ kind: 'line', series });
    await lines.image();
    const marks = deepAll(lines.element, '.plot .point').map((mark) => mark.getAttribute('d'));
    expect(new Set(marks).size).to.equal(3);
  });

  it('interrupts a line where a value is missing', async () => {
    const { element, image } = await setup({
      kind: 'line',
      labels: ['a', 'b', 'c', 'd', 'e'],
      series: [{ label: 'x', values: [1, 2, null, 3, 4] }],
    });
    await image();

    expect(deepAll(element, '.plot path.line')).to.have.length(2);
  });

  it('combines the smallest slices of a pie into one slice', async () => {
    const { image } = await setup({
      kind: 'pie',
      labels: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
      series: [{ label: 'x', values: [40, 20, 10, 10, 10, 5, 5, -3] }],
    });

    const text = (await image()).textContent?.replace(/\s+/g, ' ');
    expect(text).to.contain('a 40% 40').and.to.contain('Other 10% 10');
  });

  it('shows a message if there are no numbers', async () => {
    const { element } = await setup({ series: [{ label: 'x', values: [] }] });

    expect(element.shadowRoot?.textContent).to.contain('There are no numbers to show.');
  });
});
