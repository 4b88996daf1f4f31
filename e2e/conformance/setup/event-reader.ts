import { createParser } from 'eventsource-parser';

/** A server-sent event whose data is JSON. */
export interface StreamEvent {
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the members of any event.
  readonly [member: string]: any;
  readonly type: string;
}

/** Parses a response with the content type `text/event-stream`. */
export function eventReader(response: Response) {
  const queue: StreamEvent[] = [];
  const parser = createParser({ onEvent: ({ data }) => queue.push(JSON.parse(data)) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    /**
     * Reads until an event has this type or the stream ends.
     *
     * @param type Null to read to the end of the stream.
     */
    async until(type: string | null): Promise<StreamEvent[]> {
      const read: StreamEvent[] = [];
      for (;;) {
        for (let next = queue.shift(); next; next = queue.shift()) {
          read.push(next);
          if (next.type === type) return read;
        }
        const chunk = await reader?.read();
        if (!chunk || chunk.done) return read;
        parser.feed(chunk.value);
      }
    },
  };
}
