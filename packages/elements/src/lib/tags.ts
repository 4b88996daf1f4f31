import { InlayCard } from './card/card.ts';
import { InlayChart } from './chart/chart.ts';
import { InlayFeedback } from './feedback/feedback.ts';
import { InlayFile } from './file/file.ts';
import { firstTags, register, type TagTable } from './first-tags.ts';
import { InlayMarkdown } from './markdown/markdown.ts';
import { InlayMessageEditor } from './message-editor/message-editor.ts';

/** Every tag of this package and its class. `define.ts` registers exactly this table. */
export const tags = {
  ...firstTags,
  'inlay-card': InlayCard,
  'inlay-chart': InlayChart,
  'inlay-feedback': InlayFeedback,
  'inlay-file': InlayFile,
  'inlay-markdown': InlayMarkdown,
  'inlay-message-editor': InlayMessageEditor,
} as const satisfies TagTable;

/** Registers every tag that is not registered yet, so that a page can use each by itself. */
export function defineElements(registry?: CustomElementRegistry): void {
  register(tags, registry);
}
