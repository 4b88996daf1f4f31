import { blockStyles } from './blocks.styles.ts';
import { markStyles } from './marks.styles.ts';
import { rareTextStyles } from './rare-text.styles.ts';

/** The styles of what `markdown-extras.ts` creates. */
export const extraStyles = [rareTextStyles, blockStyles, markStyles];
