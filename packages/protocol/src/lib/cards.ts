import * as z from 'zod/mini';

/** A short single-line text, such as a label or title. */
const line = z.string().check(z.maxLength(300, 'must have at most 300 characters'));
const text = z.string().check(z.maxLength(10_000, 'must have at most 10000 characters'));
/** Name of a field, an action or a renderer. */
const name = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ . -'));
const url = z
  .string()
  .check(
    z.maxLength(2048, 'must have at most 2048 characters'),
    z.regex(/^https?:\/\//i, 'must begin with https:// or http://'),
  );

/** A block of Markdown text. */
export const CardText = z.object({ type: z.literal('text'), text });

export const CardOption = z.object({ value: name, label: line });

/**
 * A form field. The `values` of a `user.card_action` contain the field's value under `name`: a number
 * for `number`, a boolean for `checkbox`, a list for `choices`, and a string for all other kinds (a
 * date as `2026-01-31`). Empty fields are omitted.
 */
export const CardField = z.object({
  type: z.literal('field'),
  name,
  label: line,
  kind: z.enum([
    'text',
    'multiline',
    'email',
    'number',
    'date',
    /** Exactly one option, from a drop-down list. */
    'select',
    /** Exactly one option, as radio buttons. */
    'choice',
    /** Any number of options, as checkboxes. */
    'choices',
    'checkbox',
  ]),
  options: z.optional(z.array(CardOption).check(z.maxLength(50, 'must have at most 50 options'))),
  required: z.optional(z.boolean()),
  placeholder: z.optional(line),
  /** Initial value. */
  value: z.optional(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  /** Bounds of a `number` field, inclusive. */
  min: z.optional(z.number()),
  max: z.optional(z.number()),
  /**
   * Maximum length of a text, in characters.
   *
   * @default 2000
   */
  max_length: z.optional(
    z.int().check(z.minimum(1, 'must be at least 1'), z.maximum(10_000, 'must be at most 10000')),
  ),
});
export type CardField = z.infer<typeof CardField>;

/** A button that either opens `url`, or submits `action` with the field values of the card. */
export const CardButton = z.object({
  label: line,
  action: z.optional(name),
  url: z.optional(url),
  style: z.optional(z.enum(['plain', 'primary', 'danger'])),
  /** Submits without field values, and skips the validation of required fields. */
  skips_fields: z.optional(z.boolean()),
});
export type CardButton = z.infer<typeof CardButton>;

export const CardButtons = z.object({
  type: z.literal('buttons'),
  buttons: z
    .array(CardButton)
    .check(
      z.minLength(1, 'must hold at least one button'),
      z.maxLength(6, 'must have at most 6 buttons'),
    ),
});

/** A list of items. An item with an `action` is selectable. */
export const CardList = z.object({
  type: z.literal('list'),
  items: z
    .array(
      z.object({
        title: line,
        text: z.optional(line),
        image: z.optional(url),
        url: z.optional(url),
        action: z.optional(name),
      }),
    )
    .check(
      z.minLength(1, 'must hold at least one item'),
      z.maxLength(50, 'must have at most 50 items'),
    ),
});

export const CardTable = z.object({
  type: z.literal('table'),
  columns: z
    .array(z.object({ label: line, align: z.optional(z.enum(['start', 'center', 'end'])) }))
    .check(
      z.minLength(1, 'must hold at least one column'),
      z.maxLength(12, 'must have at most 12 columns'),
    ),
  /** Rows of cells. Each row has one cell per column. */
  rows: z
    .array(z.array(z.union([line, z.number(), z.null()])))
    .check(z.maxLength(200, 'must have at most 200 rows')),
});

/** An image. Loaded only from the `image_origins` of the agent. */
export const CardImage = z.object({
  type: z.literal('image'),
  url,
  alt: line,
  caption: z.optional(line),
});

export const CardChart = z.object({
  type: z.literal('chart'),
  kind: z.enum(['bar', 'line', 'pie']),
  /** One label per value, for the x-axis or the segments of a pie. */
  labels: z
    .array(line)
    .check(
      z.minLength(1, 'must hold at least one label'),
      z.maxLength(60, 'must have at most 60 labels'),
    ),
  /** Each series has one value per label; null for a missing value. A pie has one series. */
  series: z
    .array(z.object({ label: line, values: z.array(z.nullable(z.number())) }))
    .check(
      z.minLength(1, 'must hold at least one series'),
      z.maxLength(6, 'must have at most 6 series'),
    ),
  /** Unit shown after each value, for example `°C`. */
  unit: z.optional(line),
});

/** A block that the page draws with its renderer of this name. */
export const CardCustom = z.object({
  type: z.literal('custom'),
  name,
  data: z.record(z.string(), z.unknown()),
  /** Markdown text for readers without the renderer, and for exports. */
  text,
});

export const CardBlock = z.discriminatedUnion('type', [
  CardText,
  CardField,
  CardButtons,
  CardList,
  CardTable,
  CardImage,
  CardChart,
  CardCustom,
]);
export type CardBlock = z.infer<typeof CardBlock>;

/** Structured content that the widget renders next to a message: a form, choice, table or chart. */
export const Card = z.object({
  title: z.optional(line),
  blocks: z
    .array(CardBlock)
    .check(
      z.minLength(1, 'must hold at least one block'),
      z.maxLength(40, 'must have at most 40 blocks'),
    ),
});
export type Card = z.infer<typeof Card>;

/** Submitted field values by field name. */
export const CardValues = z.record(name, z.union([text, z.number(), z.boolean(), z.array(line)]));
export type CardValues = z.infer<typeof CardValues>;
