import type { StreamEvent } from './events.ts';
import type { Writing } from './options.ts';
import type { Random } from './random.ts';

/** Bytes of one write to the socket, with the number of tokens that they complete. */
export interface Write {
  readonly bytes: Buffer;
  readonly tokens: number;
}

/** Divides the serialized events into writes. */
export function toWrites(
  events: Iterable<StreamEvent>,
  writing: Writing,
  random: Random,
): Iterable<Write> {
  switch (writing) {
    case 'event':
      return onePerEvent(events);
    case 'packed':
      return packed(events, random);
    case 'torn':
      return divided(events, (bytes) => tears(bytes, random));
    case 'split-utf8':
      return divided(events, insideCharacters);
  }
}

function* onePerEvent(events: Iterable<StreamEvent>): Generator<Write> {
  for (const { text, tokens } of events) yield { bytes: Buffer.from(text), tokens };
}

function* packed(events: Iterable<StreamEvent>, random: Random): Generator<Write> {
  let text = '';
  let tokens = 0;
  let room = random.between(2, 8);
  for (const event of events) {
    text += event.text;
    tokens += event.tokens;
    if (--room > 0) continue;
    yield { bytes: Buffer.from(text), tokens };
    text = '';
    tokens = 0;
    room = random.between(2, 8);
  }
  if (text !== '') yield { bytes: Buffer.from(text), tokens };
}

/** Counts the tokens with the first part, so that the other parts of the event follow without a delay. */
function* divided(
  events: Iterable<StreamEvent>,
  cutsOf: (bytes: Buffer) => Iterable<number>,
): Generator<Write> {
  for (const { text, tokens } of events) {
    const bytes = Buffer.from(text);
    let start = 0;
    for (const end of [...cutsOf(bytes), bytes.length]) {
      if (end === start) continue;
      yield { bytes: bytes.subarray(start, end), tokens: start === 0 ? tokens : 0 };
      start = end;
    }
  }
}

function tears(bytes: Buffer, random: Random): number[] {
  const count = random.between(1, 4);
  const cuts = Array.from({ length: count }, () => random.between(1, bytes.length));
  return cuts.sort((a, b) => a - b);
}

/** Positions after the first byte of every multi-byte character. */
function* insideCharacters(bytes: Buffer): Generator<number> {
  for (const [index, byte] of bytes.entries()) {
    if (byte >= 0xc0) yield index + 1;
  }
}
