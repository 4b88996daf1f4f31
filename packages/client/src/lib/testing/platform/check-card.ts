import { Card } from '@inlay/protocol';
import { findCardErrors } from '@inlay/protocol/check-card';

/** Returns the errors in a card, as the agent receives them. */
export function cardErrors(input: unknown): string[] {
  const result = Card.safeParse(input);
  if (!result.success) {
    return result.error.issues.map(
      ({ path, message }) => `/${path.map(String).join('/')} ${message}`,
    );
  }
  return findCardErrors(result.data).map(({ pointer, message }) => `${pointer || '/'} ${message}`);
}
