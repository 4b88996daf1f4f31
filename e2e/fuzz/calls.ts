/** Memory of a process in bytes, after a garbage collection. */
export interface MemorySnapshot {
  heapUsed: number;
}

/** Load of a process since the previous call of `load`, in milliseconds. */
export interface Load {
  /** Processor time of all threads. */
  processor: number;
  /** Longest event-loop delay. */
  delay: number;
}

/** Calls to the platform process. */
export interface Calls {
  snapshot: MemorySnapshot;
  load: Load;
}
export type CallName = keyof Calls;

export interface CallMessage {
  id: number;
  name: CallName;
}

export interface ReplyMessage {
  id: number;
  result?: unknown;
  error?: string;
}
