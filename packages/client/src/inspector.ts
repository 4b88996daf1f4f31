export type { Activity } from './lib/activity/activity.ts';
export type { Lane, Tone } from './lib/inspector/describe.ts';
export type { Inspector, InspectorOptions } from './lib/inspector/inspect.ts';
export { inspect } from './lib/inspector/inspect.ts';
export type { InspectorExport, TimelineEntry } from './lib/inspector/timeline.ts';
