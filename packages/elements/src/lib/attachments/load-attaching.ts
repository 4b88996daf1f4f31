import { lazy } from '../lazy.ts';

/** Adding files by the button, by pasting and by dropping. */
export const attaching = lazy(() => import('./attaching.ts'));
