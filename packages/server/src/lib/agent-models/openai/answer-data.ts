import { createParser } from 'eventsource-parser';
import { fieldsOf, isObject, parseJson } from '../../json.ts';
import { ModelError } from '../model.ts';

/**
 * Maximum characters of one event. The longest text that `limits.run` allows is shorter, even if JSON
 * escapes every character.
 */
const maximumLength = 4_194_304;

/** The data of the event after the last chunk. */
export const endOfAnswer = '[DONE]';

/**
 * Reads the data of each event of a streamed completion. Some endpoints respond with JSON although a
 * stream was requested. The answer was paid for, so it must not be requested again, and is read as a
 * stream of one chunk.
 *
 * @throws ModelError Of kind `too_long` for an event, or a completion in JSON, that is too long.
 */
export async function* answerData(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  // Also removes a byte order mark.
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: maximumLength,
    onEvent: ({ data }) => events.push(data),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw tooLong('an event');
    },
  });
  let isJson: boolean | null = null;
  const json: string[] = [];
  let jsonLength = 0;
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    if (isJson === null && text.trim() !== '') isJson = text.trimStart().startsWith('{');
    if (isJson) {
      jsonLength += text.length;
      if (jsonLength > maximumLength) throw tooLong('an answer');
      json.push(text);
    } else {
      parser.feed(text);
      yield* events.splice(0);
    }
  }
  if (isJson) {
    yield toChunk(json.join(''));
    yield endOfAnswer;
    return;
  }
  // The blank line after the last event may be missing. If the event is incomplete, it is not valid JSON,
  // and is ignored.
  parser.feed(`${decoder.decode()}\n\n`);
  yield* events.filter((data) => data === endOfAnswer || parseJson(data) !== undefined);
}

function tooLong(what: string): ModelError {
  return new ModelError(`the model sent ${what} of more than ${maximumLength} characters`, {
    retryable: false,
    kind: 'too_long',
  });
}

/** Converts a completion to the only chunk of a stream. */
function toChunk(json: string): string {
  const completion = parseJson(json);
  if (!isObject(completion)) {
    throw new ModelError('the provider answered with neither a stream nor JSON', {
      retryable: false,
    });
  }
  const { choices } = completion;
  return JSON.stringify({
    ...completion,
    choices: Array.isArray(choices)
      ? choices.map((choice) => ({ ...fieldsOf(choice), delta: fieldsOf(choice).message }))
      : [],
  });
}
