import type { LogEvent, LogEventType } from '@inlay/protocol';

/** The fields that a schema names, without the room that it leaves for unknown ones. */
type Known<Event> = {
  [Key in keyof Event as string extends Key ? never : Key]: Event[Key];
};

/** An event before the log has given it its place. An id is given where deltas bore it already. */
export type EventDraft<Type extends LogEventType = LogEventType> = {
  [T in Type]: Omit<Known<LogEvent<T>>, 'id' | 'processed_at' | 'seq'> & { id?: string };
}[Type];
