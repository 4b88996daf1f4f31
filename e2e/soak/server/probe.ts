/** Loaded before the platform's own entry, which stays as it is (`node --import`). */
import { answerParent, held } from '../answer-parent.ts';

answerParent({ hold: held });
