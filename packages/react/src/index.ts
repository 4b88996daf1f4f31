export * from './lib/chat.ts';
export * from './lib/events.ts';
export * from './lib/launcher.ts';
