import { blockStyles } from './blocks.styles.ts';
import { rareTextStyles } from './rare-text.styles.ts';
import { referenceStyles } from './references.styles.ts';

/** Styles of the content that `markdown-extras.ts` renders. */
export const extraStyles = [rareTextStyles, blockStyles, referenceStyles];
