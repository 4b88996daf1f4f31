import { Card, type CardBlock, type CardField, type FieldError } from '@inlay/protocol';

/** Which rules of the protocol a card breaks, as the agent is told: one line for each. */
export function faultsOfCard(input: unknown): string[] {
  const result = Card.safeParse(input);
  if (result.success) return [];
  return result.error.issues.map(
    ({ path, message }) => `/${path.map(String).join('/')} ${message}`,
  );
}

/** What is wrong with an answer to a card. Pointers lead into the `user.card_action`. */
export function faultsOfAnswer(
  card: unknown,
  action: string,
  values: Readonly<Record<string, unknown>>,
): FieldError[] {
  const blocks = Card.safeParse(card).data?.blocks ?? [];
  const pressed = blocks.flatMap(actionsOf).find((each) => each.action === action);
  if (!pressed) return [{ pointer: '/action', message: 'must be an action of the card' }];
  const fields = pressed.skips ? [] : blocks.filter((block) => block.type === 'field');
  const unknown = Object.keys(values).filter((name) => fields.every((each) => each.name !== name));
  return [
    ...unknown.map((name) => ({
      pointer: `/values/${name}`,
      message: 'must be the name of a field of the card',
    })),
    ...fields.flatMap((field) => {
      const message = faultOf(field, values[field.name]);
      return message ? [{ pointer: `/values/${field.name}`, message }] : [];
    }),
  ];
}

function actionsOf(block: CardBlock): { action: string | undefined; skips: boolean }[] {
  if (block.type === 'list') return block.items.map(({ action }) => ({ action, skips: false }));
  if (block.type !== 'buttons') return [];
  return block.buttons.map(({ action, skips_fields }) => ({
    action,
    skips: skips_fields === true,
  }));
}

function faultOf(field: CardField, value: unknown): string | null {
  const { kind, required, options = [], min = -Infinity, max = Infinity } = field;
  const isBlank = value === undefined || value === '' || (kind === 'checkbox' && value === false);
  if (isBlank || (Array.isArray(value) && value.length === 0)) {
    return required ? 'is required' : null;
  }
  const known = (each: unknown) => options.some((option) => option.value === each);
  switch (kind) {
    case 'number':
      if (typeof value !== 'number') return 'must be a number';
      return value < min
        ? `must be at least ${min}`
        : value > max
          ? `must be at most ${max}`
          : null;
    case 'checkbox':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'select':
    case 'choice':
      return known(value) ? null : 'must be one of the options';
    case 'choices':
      return Array.isArray(value) && value.every(known) ? null : 'must hold only options';
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? null : 'must be a date such as 2026-01-31';
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(String(value)) ? null : 'must be an e-mail address';
    default:
      if (typeof value !== 'string') return 'must be a text';
      return value.length > (field.max_length ?? 2000) ? 'is too long' : null;
  }
}
