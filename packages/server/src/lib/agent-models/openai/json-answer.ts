import { fieldsOf, isObject, parseJson } from '../../json.ts';
import { ModelError } from '../model.ts';

/** Bytes that may precede the first character of a body: white space, and a byte order mark. */
const leading = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);
const openingBrace = 0x7b;

/**
 * Converts a completion in JSON, with which some endpoints answer although a stream was requested, to a
 * stream. It was paid for, so it must not be requested again. Streams pass through unchanged.
 */
export class JsonAnswer extends TransformStream<Uint8Array, Uint8Array> {
  /** @param maximumBytes Maximum length of a completion in JSON. */
  constructor(maximumBytes: number) {
    let isJson: boolean | null = null;
    let bytes = 0;
    const chunks: Uint8Array[] = [];
    super({
      transform(chunk, controller) {
        if (isJson === null) {
          const first = chunk.find((byte) => !leading.has(byte));
          if (first !== undefined) isJson = first === openingBrace;
        }
        if (isJson !== true) return controller.enqueue(chunk);
        bytes += chunk.byteLength;
        if (bytes > maximumBytes) {
          throw new ModelError(`the model sent an answer of more than ${maximumBytes} bytes`, {
            retryable: false,
            kind: 'too_long',
          });
        }
        chunks.push(chunk);
      },
      flush(controller) {
        if (isJson) controller.enqueue(toStream(Buffer.concat(chunks).toString('utf8')));
      },
    });
  }
}

function toStream(json: string): Uint8Array {
  const completion = parseJson(json.replace(/^\uFEFF/, ''));
  if (!isObject(completion)) {
    throw new ModelError('the provider answered with neither a stream nor JSON', {
      retryable: false,
    });
  }
  const { choices, ...others } = completion;
  const chunk = {
    ...others,
    choices: Array.isArray(choices)
      ? choices.map((choice) => ({ ...fieldsOf(choice), delta: fieldsOf(choice).message }))
      : [],
  };
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}
