/** `prepack` of each package: npm packs only the licence that lies in the package's own folder. */
import { copyFileSync } from 'node:fs';

copyFileSync(new URL('../LICENSE', import.meta.url), 'LICENSE');
