import type { LogEvent, LogEventType } from '@inlay/protocol';

/** The known fields of a loose schema, without its index signature. */
type Known<Event> = {
  [Key in keyof Event as string extends Key ? never : Key]: Event[Key];
};

/**
 * An event that has not been appended yet. It has an id if another event or an already published
 * fragment refers to it.
 */
export type EventDraft<Type extends LogEventType = LogEventType> = {
  [T in Type]: Omit<Known<LogEvent<T>>, 'id' | 'processed_at' | 'seq'> & { id?: string };
}[Type];
