/** Text of a response, divided into reasoning and answer. */
export interface SplitText {
  readonly thinking: string;
  readonly text: string;
}

/**
 * Tags that models put around their reasoning if the endpoint does not parse it: DeepSeek, Qwen and
 * others, Seed-OSS, Magistral, Kimi-VL, and the variants of prompts and fine-tuned models.
 */
const startTags = [
  ...['<think>', '<thinking>', '<thought>', '<reason>', '<reasoning>', '<seed:think>'],
  ...['[think]', '◁think▷', '<|begin_of_thought|>'],
];
const maximumTagLength = Math.max(...startTags.map(({ length }) => length));

/** Maximum characters of white space that are pending until it is known whether a tag follows. */
const maximumSpace = 256;

/**
 * Separates reasoning in tags from the answer. Only tags at the start of the text count, so that the
 * answer itself, such as its code, may contain them. Reasoning without an end tag reaches to the end.
 */
export class ThinkTags {
  /** `start`: only white space and reasoning so far. */
  #state: 'start' | 'thinking' | 'answer' = 'start';
  #endTag = '';
  /** Whether the current reasoning has no character yet. */
  #isEmpty = true;
  /** The last characters, which may be part of a tag or white space around it. */
  #pending = '';

  add(text: string): SplitText {
    if (this.#state === 'answer') return { thinking: '', text };
    this.#pending += text;
    let thinking = '';
    for (;;) {
      if (this.#state === 'start') {
        const answer = this.#readStart();
        if (answer !== null) return { thinking, text: answer };
      }
      if (this.#isEmpty) this.#pending = this.#pending.trimStart();
      const end = this.#pending.indexOf(this.#endTag);
      if (end < 0) return { thinking: thinking + this.#takeThinking(), text: '' };
      thinking += this.#pending.slice(0, end).trimEnd();
      this.#pending = this.#pending.slice(end + this.#endTag.length);
      this.#state = 'start';
    }
  }

  /** Returns the pending text at the end of the response. */
  rest(): SplitText {
    const text = this.#pending;
    this.#pending = '';
    return this.#state === 'thinking'
      ? { thinking: text.trimEnd(), text: '' }
      : { thinking: '', text };
  }

  /** Returns the start of the answer, empty if it is not known yet; null if reasoning starts. */
  #readStart(): string | null {
    const trimmed = this.#pending.trimStart();
    const head = trimmed.slice(0, maximumTagLength).toLowerCase();
    const startTag = startTags.find((each) => head.startsWith(each));
    if (startTag !== undefined) {
      const tag = trimmed.slice(0, startTag.length);
      this.#state = 'thinking';
      this.#endTag = startTag.includes('begin')
        ? '<|end_of_thought|>'
        : `${tag[0]}/${tag.slice(1)}`;
      this.#isEmpty = true;
      this.#pending = trimmed.slice(tag.length);
      return null;
    }
    // White space after reasoning is not part of the answer.
    if (this.#endTag !== '') this.#pending = trimmed;
    const mayStart = startTags.some((each) => each.startsWith(head));
    if (mayStart && this.#pending.length <= maximumSpace) return '';
    this.#state = 'answer';
    const answer = this.#pending;
    this.#pending = '';
    return answer;
  }

  /** Takes the reasoning, except for its end if that may belong to the end tag. */
  #takeThinking(): string {
    let end = Math.max(0, this.#pending.length - this.#endTag.length + 1);
    while (!this.#endTag.startsWith(this.#pending.slice(end))) end += 1;
    const before = this.#pending.slice(0, end);
    const trimmed = before.trimEnd();
    const taken = before.length - trimmed.length > maximumSpace ? before : trimmed;
    this.#pending = this.#pending.slice(taken.length);
    this.#isEmpty &&= taken === '';
    return taken;
  }
}
