/**
 * The chunk for rare Markdown syntax: code, tables, formulas, footnotes, alerts, HTML, images,
 * autolinks, character references, citations, definitions of references, and links that are not plain
 * (`plain-link.ts`). `extras.ts` provides the chunk to the parser, the view and the announcer.
 */

export { withoutCitationMarks } from '@inlay/protocol/citation-marks';
export { maskBlocks } from '../announcer/split-blocks.ts';
export { spokenExtras } from '../announcer/spoken-extras.ts';
export { CitationMarks } from './citations/citation-marks.ts';
export { targetToShow } from './link-target.ts';
export { extraStyles } from './styles/extra.styles.ts';
export {
  appendToSummary,
  matchBlock,
  openContainer,
  openMath,
  openTable,
  trackInnerFences,
} from './syntax/block-extras.ts';
export { isCitationLabel, startsCitationLabel } from './syntax/citation-syntax.ts';
export { readDefinition } from './syntax/definitions.ts';
export { decodeEntities, loadEntities, missedNameCount } from './syntax/entities.ts';
export { readAngle, readAutolink, readEntity, readMark, readMath } from './syntax/inline-extras.ts';
export { scanLinkTail } from './syntax/link-tail.ts';
export { alertStart, detailsEndWithin } from './syntax/rare-block-starts.ts';
export { copyCode } from './view/copy-code.ts';
export { createAlertTitle } from './view/create-rare-blocks.ts';
export { Footnotes } from './view/footnotes.ts';
export { createRareBlock } from './view/rare-blocks.ts';
export { createRareInline } from './view/rare-inlines.ts';
