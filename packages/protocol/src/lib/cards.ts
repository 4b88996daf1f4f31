import * as z from 'zod/mini';

/** A short text without line breaks of its own: a label, a title. */
const line = z.string().check(z.maxLength(300, 'must have at most 300 characters'));
const text = z.string().check(z.maxLength(10_000, 'must have at most 10000 characters'));
/** What a card names its fields and actions by. */
const name = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ . -'));
const url = z
  .string()
  .check(
    z.maxLength(2048, 'must have at most 2048 characters'),
    z.regex(/^https?:\/\//i, 'must begin with https:// or http://'),
  );

/** Markdown. */
export const CardText = z.object({ type: z.literal('text'), text });

export const CardOption = z.object({ value: name, label: line });

/**
 * Something to fill in. `values` of a `user.card_action` holds its value under `name`: a number for
 * `number`, true or false for `checkbox`, a list for `choices`, and a string otherwise (a date as
 * `2026-01-31`). A field that was left empty is left out.
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
    /** One of the options, from a closed list. */
    'select',
    /** One of the options, all of them in view. */
    'choice',
    /** Any number of the options. */
    'choices',
    'checkbox',
  ]),
  options: z.optional(z.array(CardOption).check(z.maxLength(50, 'must have at most 50 options'))),
  required: z.optional(z.boolean()),
  placeholder: z.optional(line),
  /** What stands in it at first. */
  value: z.optional(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  /** Bounds of a number. */
  min: z.optional(z.number()),
  max: z.optional(z.number()),
  /** Characters of a text; 2000 where left out. */
  max_length: z.optional(
    z.int().check(z.minimum(1, 'must be at least 1'), z.maximum(10_000, 'must be at most 10000')),
  ),
});
export type CardField = z.infer<typeof CardField>;

/** Leads to `url`, or answers with `action` and what the card's fields hold: one of the two. */
export const CardButton = z.object({
  label: line,
  action: z.optional(name),
  url: z.optional(url),
  style: z.optional(z.enum(['plain', 'primary', 'danger'])),
  /** Answers without what the fields hold, and so without asking for those that are required. */
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

/** Things of one kind. An item with an `action` can be chosen. */
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
  /** Each as long as there are columns. */
  rows: z
    .array(z.array(z.union([line, z.number(), z.null()])))
    .check(z.maxLength(200, 'must have at most 200 rows')),
});

/** Loaded only from origins that the agent's settings allow. */
export const CardImage = z.object({
  type: z.literal('image'),
  url,
  alt: line,
  caption: z.optional(line),
});

export const CardChart = z.object({
  type: z.literal('chart'),
  kind: z.enum(['bar', 'line', 'pie']),
  /** What the values are of, one label for each. */
  labels: z
    .array(line)
    .check(
      z.minLength(1, 'must hold at least one label'),
      z.maxLength(60, 'must have at most 60 labels'),
    ),
  /** Each has as many values as there are labels; null for none. A pie has one series. */
  series: z
    .array(z.object({ label: line, values: z.array(z.nullable(z.number())) }))
    .check(
      z.minLength(1, 'must hold at least one series'),
      z.maxLength(6, 'must have at most 6 series'),
    ),
  /** Stands behind the values, for example `°C`. */
  unit: z.optional(line),
});

export const CardBlock = z.discriminatedUnion('type', [
  CardText,
  CardField,
  CardButtons,
  CardList,
  CardTable,
  CardImage,
  CardChart,
]);
export type CardBlock = z.infer<typeof CardBlock>;

/** What an agent shows beside its words: a form, a choice, a table. The widget draws it. */
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

/** What a person filled in, by the names of the fields. */
export const CardValues = z.record(name, z.union([text, z.number(), z.boolean(), z.array(line)]));
export type CardValues = z.infer<typeof CardValues>;
