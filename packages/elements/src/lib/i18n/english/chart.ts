/** What `inlay-chart` says. */
export const chartWords = {
  chartBar: 'Bar chart',
  chartLine: 'Line chart',
  chartPie: 'Pie chart',
  chartRange: '{series}: lowest {min} ({minLabel}), highest {max} ({maxLabel}).',
  chartShare: '{label}: {value}, {share}.',
  chartEmpty: 'There are no numbers to show.',
  chartNumbers: 'Show the numbers',
  chartOther: 'Other',
  chartOf: 'What',
  chartValue: 'Value',
} as const;
