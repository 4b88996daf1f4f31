import { Card, type FieldError } from '@inlay/protocol';
import { findCardErrors } from '@inlay/protocol/check-card';
import * as z from 'zod';
import { explain, toFieldError } from '../http/validate.ts';

/** A valid card, or the errors of an invalid one. */
export type CheckedCard =
  | { readonly card: Card }
  | { readonly errors: readonly [FieldError, ...FieldError[]] };

/**
 * Validates a card of the agent: first against the schema, then its size and the consistency of its
 * blocks.
 */
export function checkCard(input: unknown): CheckedCard {
  const result = z.safeParse(Card, input, { error: explain });
  const [first, ...more] = result.success
    ? findCardErrors(result.data)
    : result.error.issues.map((issue) => toFieldError(issue));
  if (first) return { errors: [first, ...more] };
  return { card: result.data as Card };
}
