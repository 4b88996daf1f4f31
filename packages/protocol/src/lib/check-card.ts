import type { Card, CardBlock, CardField } from './cards.ts';
import type { FieldError } from './problems.ts';

/**
 * Maximum characters of a card as JSON. Cards are limited because they are stored in the log and
 * sent with each later model request.
 */
const maximumLength = 100_000;

/** Maximum characters of the data of a custom block as JSON. */
const maximumDataLength = 20_000;

/**
 * Validates what the schema can't express: the size of a card, and the consistency of its blocks.
 *
 * @param card A card that matches the schema, without unknown members.
 * @returns All errors, with pointers relative to the card. If the card is too large, only that error.
 */
export function findCardErrors(card: Card): FieldError[] {
  if (JSON.stringify(card).length > maximumLength) {
    return [{ pointer: '', message: `must have at most ${maximumLength} characters as JSON` }];
  }
  const fieldNames = new Set<string>();
  return card.blocks.flatMap((block, index) => {
    const errors = blockErrors(block).map(({ pointer, message }) => ({
      pointer: `/blocks/${index}${pointer}`,
      message,
    }));
    if (block.type === 'field') {
      if (fieldNames.has(block.name)) {
        errors.push({
          pointer: `/blocks/${index}/name`,
          message: 'must not be the name of another field of this card',
        });
      }
      fieldNames.add(block.name);
    }
    return errors;
  });
}

function blockErrors(block: CardBlock): FieldError[] {
  switch (block.type) {
    case 'field':
      return fieldErrors(block);
    case 'buttons':
      return block.buttons.flatMap((button, index) =>
        (button.action === undefined) === (button.url === undefined)
          ? [{ pointer: `/buttons/${index}`, message: 'must have either `action` or `url`' }]
          : [],
      );
    case 'table':
      return block.rows.flatMap((row, index) =>
        row.length === block.columns.length
          ? []
          : [
              {
                pointer: `/rows/${index}`,
                message: `must have ${block.columns.length} cells, one for each column`,
              },
            ],
      );
    case 'chart':
      return [
        ...(block.kind === 'pie' && block.series.length > 1
          ? [{ pointer: '/series', message: 'must be one series: a pie has no more' }]
          : []),
        ...block.series.flatMap(({ values }, index) =>
          values.length === block.labels.length
            ? []
            : [
                {
                  pointer: `/series/${index}/values`,
                  message: `must have ${block.labels.length} values, one for each label`,
                },
              ],
        ),
      ];
    case 'custom':
      return JSON.stringify(block.data).length > maximumDataLength
        ? [
            {
              pointer: '/data',
              message: `must have at most ${maximumDataLength} characters as JSON`,
            },
          ]
        : [];
    default:
      return [];
  }
}

const kindsWithOptions: readonly CardField['kind'][] = ['select', 'choice', 'choices'];

function fieldErrors(field: CardField): FieldError[] {
  const errors: FieldError[] = [];
  const values = (field.options ?? []).map(({ value }) => value);
  if (kindsWithOptions.includes(field.kind) && values.length === 0) {
    errors.push({ pointer: '/options', message: `must hold what a ${field.kind} chooses from` });
  }
  if (new Set(values).size < values.length) {
    errors.push({ pointer: '/options', message: 'must not hold a value twice' });
  }
  if (field.min !== undefined && field.max !== undefined && field.min > field.max) {
    errors.push({ pointer: '/min', message: 'must not be over `max`' });
  }
  return errors;
}
