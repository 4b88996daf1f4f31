/** Longer texts of the demo agent, with rarer kinds of content. */

const fence = '```';

export const documentAnswer = `# How a tide is foretold

The height of the sea at a place is a sum of waves, one for each motion of moon and sun.[^1] Written out:

$$
h(t) = h_0 + \\sum_{i=1}^{n} A_i \\cos(\\omega_i t + \\varphi_i)
$$

where $A_i$ is how much a motion matters here and $\\omega_i$ how fast it goes round. For a harbour, $n = 37$ is plenty.

![A harbour at dusk]({base_url}/demo-picture.svg)

## The four that matter most

| Name | Period in hours | Comes from |
|:-----|----------------:|:-----------|
| M₂ | 12.42 | the moon |
| S₂ | 12.00 | the sun |
| N₂ | 12.66 | the moon’s distance |
| K₁ | 23.93 | both, and the tilt of the axis |

## In code

${fence}python
from math import cos

def height(t: float, mean: float, waves: list[tuple[float, float, float]]) -> float:
    """Metres over chart datum, \`t\` hours from now."""
    return mean + sum(a * cos(w * t + p) for a, w, p in waves)
${fence}

What is left over comes from the weather. A picture of that would be loaded from somewhere else, and so has to be asked for:

![A weather map](https://images.example.org/weather-map.png)

- [x] the moon
- [x] the sun
- [ ] the wind[^2]

[^1]: William Thomson built a machine of pulleys for this sum in 1872.
[^2]: An onshore gale can add a metre, and no table knows of it.
`;

export const cardAnswers = {
  form: {
    title: 'Change a booking',
    blocks: [
      { type: 'text', text: 'Booking **V-4812**, Lisbon to Madrid. What shall be different?' },
      {
        type: 'field',
        name: 'date',
        label: 'New date',
        kind: 'date',
        required: true,
        value: '2027-03-14',
      },
      {
        type: 'field',
        name: 'cabin',
        label: 'Cabin',
        kind: 'choice',
        options: [
          { value: 'single', label: 'Single' },
          { value: 'double', label: 'Double' },
          { value: 'couchette', label: 'Couchette' },
        ],
        value: 'single',
      },
      {
        type: 'field',
        name: 'travellers',
        label: 'Travellers',
        kind: 'number',
        required: true,
        min: 1,
        max: 6,
        value: 1,
      },
      {
        type: 'field',
        name: 'extras',
        label: 'Extras',
        kind: 'choices',
        options: [
          { value: 'breakfast', label: 'Breakfast in bed' },
          { value: 'bicycle', label: 'A bicycle' },
          { value: 'dog', label: 'A dog' },
        ],
      },
      {
        type: 'field',
        name: 'email',
        label: 'E-mail for the new ticket',
        kind: 'email',
        required: true,
        placeholder: 'you@example.com',
      },
      { type: 'field', name: 'note', label: 'Anything else?', kind: 'multiline', max_length: 500 },
      {
        type: 'field',
        name: 'terms',
        label: 'I know that a change cannot be undone',
        kind: 'checkbox',
        required: true,
      },
      {
        type: 'buttons',
        buttons: [
          { label: 'Change the booking', action: 'change_booking', style: 'primary' },
          { label: 'Leave it as it is', action: 'keep_booking', skips_fields: true },
          { label: 'Terms', url: 'https://example.com/terms' },
        ],
      },
    ],
  },
  list: {
    title: 'Three night trains',
    blocks: [
      {
        type: 'list',
        items: [
          { title: 'Lusitania', text: '21:25 to 08:40, by the river', action: 'choose_lusitania' },
          { title: 'Surex', text: '18:35 to 07:10, by the coast', action: 'choose_surex' },
          {
            title: 'Both, one after the other',
            text: 'For those with time',
            action: 'choose_both',
          },
        ],
      },
    ],
  },
  chart: {
    title: 'How full the night trains were',
    blocks: [
      {
        type: 'chart',
        kind: 'bar',
        labels: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
        series: [
          { label: 'Lisbon', values: [52, 48, 61, 70, 76, 88] },
          { label: 'Madrid', values: [45, null, 58, 66, 71, 90] },
        ],
        unit: '%',
      },
      {
        type: 'table',
        columns: [
          { label: 'Line' },
          { label: 'Seats', align: 'end' },
          { label: 'On time', align: 'end' },
        ],
        rows: [
          ['Lisbon', 320, '94 %'],
          ['Madrid', 280, '91 %'],
          ['Porto', 96, null],
        ],
      },
      {
        type: 'image',
        url: '{base_url}/demo-picture.svg',
        alt: 'A harbour at dusk',
        caption: 'Lisbon, where most of them begin',
      },
    ],
  },
};
