'use client';

// Named exports, because Next.js does not allow `export *` in a client module.
export { InlayChat } from './lib/chat.ts';
export { chatEvents, launcherEvents, type ReactEvents } from './lib/events.ts';
export { InlayLauncher } from './lib/launcher.ts';
