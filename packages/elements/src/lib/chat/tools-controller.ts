import type { Conversation, ToolEntry } from '@inlay/client';
import { toJson } from '@inlay/protocol/to-json';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { emit } from '../events.ts';
import { withLock } from './web-lock.ts';

/** Context of a call of a client tool. */
export interface ClientToolCall {
  /** Id of the call, the same in every tab and after a reload. */
  readonly id: string;
  /** Aborted when the user stops the agent or leaves the conversation. */
  readonly signal: AbortSignal;
}

/**
 * A tool that the agent calls and this page runs. Its return value or promise is sent to the agent: a
 * string unchanged, `undefined` as “Done.”, any other value as JSON. An exception is sent as a failure
 * with the message of the error. There is no time limit.
 */
export type ClientTool = (
  input: Readonly<Record<string, unknown>>,
  call: ClientToolCall,
) => unknown;

export type ClientTools = Readonly<Record<string, ClientTool>>;

export interface ToolsControllerOptions {
  /** Null until the page has set its tools: calls stay pending until then. */
  readonly tools: () => ClientTools | null;
  readonly conversation: () => Conversation | null;
  /** Called when a result could not be sent. */
  readonly onError: (reason: unknown) => void;
  /**
   * How long a hidden tab waits before it runs a call, and how long any tab waits for the result of a
   * call that another tab was running, in milliseconds.
   *
   * @default 3000
   */
  readonly otherTabDelayMs?: number;
}

interface Outcome {
  readonly result: string;
  readonly isError: boolean;
}

/**
 * Runs client tools when the agent calls them. Each call runs once across all chats of the page and,
 * if Web Locks are available, across all tabs. A call that is still pending after a reload runs again,
 * because its result was lost.
 */
export class ToolsController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: ToolsControllerOptions;
  /** Calls that this chat has run, runs or will run, by id. */
  readonly #calls = new Map<string, AbortController>();
  #conversation: Conversation | null = null;
  #handledEntries: unknown = null;
  #handledTools: ClientTools | null = null;

  constructor(host: ReactiveControllerHost & Element, options: ToolsControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostConnected() {
    this.#host.requestUpdate();
  }

  hostUpdate() {
    // A disconnected element can still update.
    if (!this.#host.isConnected) return;
    const conversation = this.#options.conversation();
    if (conversation !== this.#conversation) this.#leave();
    this.#conversation = conversation;
    const tools = this.#options.tools();
    const entries = conversation?.state.entries;
    if (
      !conversation ||
      !entries ||
      (entries === this.#handledEntries && tools === this.#handledTools)
    )
      return;
    this.#handledEntries = entries;
    this.#handledTools = tools;
    for (const entry of entries) {
      if (entry.kind !== 'tool' || entry.runsOn !== 'host' || entry.id === null) continue;
      if (entry.progress !== 'waiting') this.#calls.get(entry.id)?.abort(abortError());
      else if (tools && !this.#calls.has(entry.id))
        void this.#handleCall(conversation, entry, entry.id);
    }
  }

  hostDisconnected() {
    // An element that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#leave();
    });
  }

  #leave() {
    for (const call of this.#calls.values()) call.abort(abortError());
    this.#calls.clear();
    this.#handledEntries = null;
  }

  async #handleCall(conversation: Conversation, entry: ToolEntry, id: string): Promise<void> {
    const call = new AbortController();
    this.#calls.set(id, call);
    const { signal } = call;
    const delayMs = this.#options.otherTabDelayMs ?? 3000;
    try {
      // The visible tab takes precedence.
      if (document.hidden) await pause(delayMs, signal);
      await withLock(`inlay-tool:${id}`, signal, async (waited) => {
        if (waited) await pause(delayMs, signal);
        if (signal.aborted || !isWaiting(conversation, id)) return;
        await this.#submitResult(conversation, entry, id, signal);
      });
    } catch (reason) {
      if (!signal.aborted) this.#options.onError(reason);
    }
  }

  async #submitResult(
    conversation: Conversation,
    entry: ToolEntry,
    id: string,
    signal: AbortSignal,
  ) {
    const { name, input } = entry;
    const isAllowed = emit(this.#host, 'inlay-tool-request', { id, name, input });
    const outcome = isAllowed ? await this.#run(entry, { id, signal }) : declinedOutcome;
    // The server expects no result for a call that was stopped.
    if (signal.aborted) return;
    await conversation.submitToolResult(id, outcome.result, { isError: outcome.isError });
    emit(this.#host, 'inlay-tool', { id, name, input, ...outcome });
  }

  async #run({ name, input }: ToolEntry, call: ClientToolCall): Promise<Outcome> {
    const tools = this.#options.tools() ?? {};
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (!tool) return { result: `This page has no tool “${name}”.`, isError: true };
    try {
      // A tool that ignores its signal must not block the lock. The result of a stopped call is not sent.
      const value = await Promise.race([tool(input, call), whenAborted(call.signal)]);
      return { result: resultText(value), isError: false };
    } catch (reason) {
      const message = reason instanceof Error ? reason.message : '';
      return { result: message || `The tool “${name}” failed.`, isError: true };
    }
  }
}

const declinedOutcome: Outcome = { result: 'The page declined this call.', isError: true };

const abortError = () => new DOMException('The call was aborted.', 'AbortError');

function isWaiting(conversation: Conversation, id: string): boolean {
  const entry = conversation.state.entries.findLast((each) => each.id === id);
  return entry?.kind === 'tool' && entry.progress === 'waiting';
}

function resultText(value: unknown): string {
  if (typeof value === 'string') return value;
  // `toJson` returns undefined for undefined, functions and symbols.
  return toJson(value) ?? 'Done.';
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // The tool itself may have left the conversation.
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
