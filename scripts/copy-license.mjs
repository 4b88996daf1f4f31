/** `prepack` script of each package: npm packs only a licence in the package's own folder. */
import { copyFileSync } from 'node:fs';

copyFileSync(new URL('../LICENSE', import.meta.url), 'LICENSE');
