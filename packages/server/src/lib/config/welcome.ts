import { Card } from '@inlay/protocol';
import { actionsOf } from '@inlay/protocol/card-answer';
import { findCardErrors } from '@inlay/protocol/check-card';
import * as z from 'zod';

/** Content of an empty conversation besides the greeting. */
export const Welcome = z
  .strictObject({
    /** A card such as a form. Its answer starts the conversation. */
    card: Card,
  })
  .superRefine(({ card }, context) => {
    for (const { pointer, message } of findCardErrors(card)) {
      context.addIssue({ code: 'custom', message, path: ['card', ...pointer.split('/').slice(1)] });
    }
    if (actionsOf(card.blocks).length > 0) return;
    const message = 'must have a button or list item with an `action`, which sends the answer';
    context.addIssue({ code: 'custom', message, path: ['card', 'blocks'] });
  });
