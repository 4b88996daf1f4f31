import { ModelError } from '../model.ts';
import { mergeMembers } from './merge-members.ts';
import type { ReadChunk } from './read-chunk.ts';

type Members = Record<string, unknown>;

/** Maximum bytes of a message as JSON: several times the longest reasoning with its signatures. */
const maximumBytes = 1_048_576;

/** Reasoning as text. Outside of a tool round, providers do not need it, and some reject it. */
const reasoningNames = ['reasoning_content', 'reasoning', 'reasoning_text'];

/**
 * Collects the assistant message of a response as the provider sent it. Without its call ids, reasoning
 * and signatures, providers reject the next request of a tool round, or the model answers worse.
 */
export class AssistantMessage {
  readonly #members: Members = {};
  readonly #content: { parts: unknown[] } = { parts: [] };
  #hasParts = false;
  #bytes = 0;

  add({ members, parts, text }: ReadChunk): void {
    this.#hasParts ||= parts.length > 0;
    if (parts.length > 0 || Object.keys(members).length > 0) {
      this.#bytes += Buffer.byteLength(JSON.stringify({ members, parts }));
    }
    if (this.#bytes > maximumBytes) return;
    mergeMembers(this.#members, members);
    // Mistral sends the reasoning as parts, and then the answer as text.
    const added = parts.length > 0 || text === '' ? parts : [{ type: 'text', text }];
    mergeMembers(this.#content, { parts: added });
  }

  /**
   * Returns the message; null if it has nothing but text. A content that is text is left out, because
   * the events of the answer have it.
   *
   * @param calls The tool calls as the provider sent them.
   * @param isToolRound Whether the response follows the result of a tool.
   * @throws ModelError Of kind `too_long`, if a message with calls is too long to be stored.
   */
  finish(calls: readonly Members[], isToolRound: boolean): Members | null {
    const hasCalls = calls.length > 0;
    const message = { ...this.#members };
    if (!hasCalls && !isToolRound) for (const name of reasoningNames) delete message[name];
    if (this.#hasParts) message.content = this.#content.parts;
    if (hasCalls) message.tool_calls = calls;
    const bytes = Math.max(this.#bytes, Buffer.byteLength(JSON.stringify(message)));
    if (bytes > maximumBytes) {
      if (!hasCalls) return null;
      throw new ModelError(`the model sent a message of more than ${maximumBytes} bytes`, {
        retryable: false,
        kind: 'too_long',
      });
    }
    return Object.keys(message).length > 0 ? message : null;
  }
}
