/** Bytes of a stream's end that are kept: its last line with room to spare. */
const tailLength = 64;

/**
 * Sees whether a stream of server-sent events came to its `[DONE]`. The library keeps that to
 * itself, and without it an answer that broke off looks like one that is whole.
 */
export class StreamEnd {
  #tail = Buffer.alloc(0);

  /** Whether `[DONE]` was the last that came. */
  get isDone(): boolean {
    return /(?:^|[\r\n])data: ?\[DONE\]\s*$/.test(this.#tail.toString('latin1'));
  }

  /** In place of the global `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const watched = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) => {
          this.#tail = Buffer.concat([this.#tail, bytes.subarray(-tailLength)]).subarray(
            -tailLength,
          );
          controller.enqueue(bytes);
        },
      }),
    );
    return new Response(watched ?? null, response);
  };
}
