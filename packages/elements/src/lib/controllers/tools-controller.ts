import type { Conversation, ToolEntry } from '@inlay/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { emit } from '../events.ts';
import { inTurn } from './in-turn.ts';

/** What a tool of the page is told beside its input. */
export interface ClientToolCall {
  /** Id of the call, the same in every tab and after a reload. */
  readonly id: string;
  /** Aborted when the person stops the answer, or leaves the conversation. */
  readonly signal: AbortSignal;
}

/**
 * A tool that the agent calls and this page runs. The agent is told what it returns: a string as it
 * is, anything else as JSON, and nothing as “Done.”. What it throws is told as a failure, with the
 * message of the error. It may take its time.
 */
export type ClientTool = (
  input: Readonly<Record<string, unknown>>,
  call: ClientToolCall,
) => unknown;

export type ClientTools = Readonly<Record<string, ClientTool>>;

export interface ToolsControllerOptions {
  /** Null while the page has not said which tools it has: then calls wait. */
  readonly tools: () => ClientTools | null;
  readonly conversation: () => Conversation | null;
  /** A result could not be told to the agent. */
  readonly onError: (reason: unknown) => void;
  /**
   * How long to wait for the conversation to tell what came of a call that another tab held, in
   * milliseconds. Default: 3000.
   */
  readonly settle?: number;
}

interface Outcome {
  readonly result: string;
  readonly isError: boolean;
}

/**
 * Runs the tools of the page that the agent calls, each call once: over all chats of the page and,
 * where the browser has Web Locks, over all its tabs. A call that still waits after a reload is run
 * again, because what came of it before is lost.
 */
export class ToolsController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: ToolsControllerOptions;
  /** Calls that this chat runs, has run, or waits to run, by id. */
  readonly #calls = new Map<string, AbortController>();
  #conversation: Conversation | null = null;
  #seen: unknown = null;
  #tools: ClientTools | null = null;

  constructor(host: ReactiveControllerHost & Element, options: ToolsControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostConnected() {
    this.#host.requestUpdate();
  }

  hostUpdate() {
    // What is not in the page is drawn all the same when something asks for it.
    if (!this.#host.isConnected) return;
    const conversation = this.#options.conversation();
    if (conversation !== this.#conversation) this.#leave();
    this.#conversation = conversation;
    const tools = this.#options.tools();
    const entries = conversation?.state.entries;
    if (!conversation || !entries || (entries === this.#seen && tools === this.#tools)) return;
    this.#seen = entries;
    this.#tools = tools;
    for (const entry of entries) {
      if (entry.kind !== 'tool' || entry.runsOn !== 'host' || entry.id === null) continue;
      if (entry.progress !== 'waiting') this.#calls.get(entry.id)?.abort(stopped());
      else if (tools && !this.#calls.has(entry.id)) void this.#take(conversation, entry, entry.id);
    }
  }

  hostDisconnected() {
    // An element that is only moved is back before this runs.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#leave();
    });
  }

  #leave() {
    for (const call of this.#calls.values()) call.abort(stopped());
    this.#calls.clear();
    this.#seen = null;
  }

  async #take(conversation: Conversation, entry: ToolEntry, id: string): Promise<void> {
    const call = new AbortController();
    this.#calls.set(id, call);
    const { signal } = call;
    const settle = this.#options.settle ?? 3000;
    try {
      // The tab that the person looks at comes first.
      if (document.hidden) await pause(settle, signal);
      await inTurn(`inlay-tool:${id}`, signal, async (waited) => {
        if (waited) await pause(settle, signal);
        if (signal.aborted || !waits(conversation, id)) return;
        await this.#answer(conversation, entry, id, signal);
      });
    } catch (reason) {
      if (!signal.aborted) this.#options.onError(reason);
    }
  }

  async #answer(conversation: Conversation, entry: ToolEntry, id: string, signal: AbortSignal) {
    const { name, input } = entry;
    const wanted = emit(this.#host, 'inlay-tool-request', { id, name, input });
    const outcome = wanted ? await this.#run(entry, { id, signal }) : declined;
    // Nobody waits for the answer of a call that was stopped.
    if (signal.aborted) return;
    await conversation.submitToolResult(id, outcome.result, { isError: outcome.isError });
    emit(this.#host, 'inlay-tool', { id, name, input, ...outcome });
  }

  async #run({ name, input }: ToolEntry, call: ClientToolCall): Promise<Outcome> {
    const tools = this.#options.tools() ?? {};
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (!tool) return { result: `This page has no tool “${name}”.`, isError: true };
    try {
      return { result: textOf(await untilAborted(tool(input, call), call.signal)), isError: false };
    } catch (reason) {
      const message = reason instanceof Error ? reason.message : '';
      return { result: message || `The tool “${name}” failed.`, isError: true };
    }
  }
}

const declined: Outcome = { result: 'The page declined this call.', isError: true };

const stopped = () => new DOMException('The call is not wanted any more.', 'AbortError');

function waits(conversation: Conversation, id: string): boolean {
  const entry = conversation.state.entries.findLast((each) => each.id === id);
  return entry?.kind === 'tool' && entry.progress === 'waiting';
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // A function or a symbol has no JSON either.
  return JSON.stringify(value) ?? 'Done.';
}

/** A tool that does not listen to its signal must not hold what waits behind it. */
function untilAborted(value: unknown, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // The tool itself may have left the conversation.
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    Promise.resolve(value).then(resolve, reject);
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
