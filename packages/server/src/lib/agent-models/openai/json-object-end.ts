/** Detects the end of a JSON object that arrives in fragments. Takes linear time in total. */
export class JsonObjectEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasStarted = false;

  /** Whether a whole object has arrived. The object is not validated. */
  get isComplete(): boolean {
    return this.#hasStarted && this.#depth === 0;
  }

  add(text: string): void {
    for (const character of text) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = this.#isInString;
      else if (character === '"') this.#isInString = !this.#isInString;
      else if (!this.#isInString) this.#addOutsideString(character);
    }
  }

  #addOutsideString(character: string): void {
    if (character === '{' || character === '[') {
      this.#hasStarted = true;
      this.#depth += 1;
    } else if (character === '}' || character === ']') {
      this.#depth -= 1;
    }
  }
}
