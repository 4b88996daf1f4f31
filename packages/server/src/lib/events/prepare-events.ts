import type { CardBlock, LogEvent, UserEventInput } from '@inlay/protocol';
import { Branches } from '@inlay/protocol/branches';
import { checkCardAnswer } from '@inlay/protocol/card-answer';
import type { Transaction } from 'kysely';
import { agentVersion } from '../agents/agent.ts';
import { requireFeature } from '../agents/require-feature.ts';
import type { Limits } from '../config/limits.ts';
import { attachmentPolicy } from '../files/attachment-policy.ts';
import { invalid } from '../http/validate.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import { blocksOf } from '../runs/blocks-of.ts';
import { inputHash } from '../runs/input-hash.ts';
import { type ToolCall, toolCallsOf } from '../runs/tool-calls.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import type { EventDraft } from './event-draft.ts';
import { fileIdOf } from './file-ids.ts';
import type { LockedSession } from './lock-session.ts';
import { LogQueries } from './log-queries.ts';
import type { SendRequest } from './send-request.ts';

/** The services needed to validate and prepare events. */
export type PrepareServices = Pick<Services, 'agents' | 'config' | 'events' | 'files'>;

/** `card_id` of an answer to the welcome card, which is not in the log before it is answered. */
const welcomeCardId = 'welcome';

/** The end of the log. */
type LogPosition = Pick<LockedSession, 'last_seq' | 'head_id'>;

/** A draft whose id is already set, so that later drafts can refer to it. */
type WithId<Draft> = Draft & { id: string };

/** The drafts for the events of one request. */
export interface PreparedEvents {
  readonly drafts: readonly WithId<EventDraft>[];
  /**
   * Ids of the events that the server added: interrupts because a message starts another branch, and
   * the welcome card before its answer.
   */
  readonly serverEvents: ReadonlySet<string>;
}

/**
 * Validates the user's events against the log, and converts them to drafts without unknown fields.
 *
 * Call it inside the transaction that appends the drafts, so that only one of two concurrent answers
 * to the same card is accepted, and the default parent of a message is the end of the current branch.
 *
 * @param locked The locked session; null for a session that is about to be created.
 * @throws `VALIDATION_ERROR`, `CONFLICT` or `TOOL_CONFIRMATION_REQUIRED`; nothing is appended.
 */
export async function prepareEvents(
  services: PrepareServices,
  transaction: Transaction<Schema>,
  request: SendRequest,
  locked: LogPosition | null,
): Promise<PreparedEvents> {
  checkEventSizes(services.config.limits, request);
  await checkAttachments(services, transaction, request);
  const queries = new LogQueries(transaction, request.session.id);
  return new Preparation(services, request, queries, locked).perform();
}

/** @throws `VALIDATION_ERROR` for an event with more than `limits.request.event_bytes` as JSON. */
function checkEventSizes(limits: Limits, { inputs, pointer }: SendRequest): void {
  const maximum = limits.request.event_bytes;
  for (const [index, input] of inputs.entries()) {
    // The content of a tool result has its own limit, `limits.run.tool_result_bytes`.
    const measured =
      input.type === 'user.custom_tool_result' ? { ...input, content: undefined } : input;
    const bytes = Buffer.byteLength(JSON.stringify(measured));
    if (bytes <= maximum) continue;
    throw invalidField(
      `${pointer}/${index}`,
      `must have at most ${maximum} bytes as JSON; it has ${bytes}. Send less, or upload it as a file`,
    );
  }
}

/**
 * Checks that the user has uploaded each attached file, and that no message has too many files. Runs
 * inside the transaction that adds the references to the files, so that no file is deleted in the
 * meantime.
 *
 * @throws `VALIDATION_ERROR` with a pointer to the attachment; `EMBED_FEATURE_DISABLED` if the agent
 *   allows no attachments.
 */
async function checkAttachments(
  { agents, config, files }: Pick<Services, 'agents' | 'config' | 'files'>,
  transaction: Transaction<Schema>,
  { session, caller, inputs, pointer }: SendRequest,
): Promise<void> {
  const policy = attachmentPolicy(agents.find(session.agent_id), config);
  for (const [inputIndex, input] of inputs.entries()) {
    if (input.type !== 'user.message') continue;
    const contentPointer = `${pointer}/${inputIndex}/content`;
    const ids = input.content.map(fileIdOf);
    const fileCount = new Set(ids.filter((id) => id !== null)).size;
    if (fileCount === 0) continue;
    requireFeature(agents, caller, 'attachments');
    if (fileCount > policy.max_files) {
      throw invalidField(contentPointer, `must have at most ${policy.max_files} attachments`);
    }
    for (const [index, id] of ids.entries()) {
      if (id === null || (await files.isOwn(caller, id, transaction))) continue;
      throw invalidField(
        `${contentPointer}/${index}/source/file_id`,
        'must be the id of a file that you uploaded',
      );
    }
  }
}

/** Prepares the events of one request in their order. */
class Preparation {
  readonly #services: PrepareServices;
  readonly #request: SendRequest;
  readonly #queries: LogQueries;
  readonly #drafts: WithId<EventDraft>[] = [];
  /** The drafts as log events, because an event can depend on an earlier event of the same request. */
  readonly #requestEvents: LogEvent[] = [];
  readonly #serverEvents = new Set<string>();
  /** `seq` of the last event of the log. */
  readonly #lastSeq: number;
  /** Id of the message at the end of the current branch. */
  #head: string | null;

  constructor(
    services: PrepareServices,
    request: SendRequest,
    queries: LogQueries,
    locked: LogPosition | null,
  ) {
    this.#services = services;
    this.#request = request;
    this.#queries = queries;
    this.#lastSeq = Number(locked?.last_seq ?? 0);
    this.#head = locked?.head_id ?? null;
  }

  async perform(): Promise<PreparedEvents> {
    for (const [index, input] of this.#request.inputs.entries()) {
      await this.#add(input, `${this.#request.pointer}/${index}`);
    }
    return { drafts: this.#drafts, serverEvents: this.#serverEvents };
  }

  async #add(input: UserEventInput, pointer: string): Promise<void> {
    switch (input.type) {
      case 'user.message':
        await this.#addMessage(input, pointer);
        break;
      case 'user.interrupt':
        await this.#addInterrupt();
        break;
      case 'user.tool_confirmation':
        await this.#addConfirmation(input, pointer);
        break;
      case 'user.custom_tool_result':
        await this.#requireAwaitingResult(
          input.custom_tool_use_id,
          `${pointer}/custom_tool_use_id`,
        );
        this.#checkResult(input.content ?? [], `${pointer}/content`);
        this.#push({
          type: input.type,
          custom_tool_use_id: input.custom_tool_use_id,
          content: input.content ?? [],
          is_error: input.is_error === true,
        });
        break;
      case 'user.card_action':
        await this.#addCardAction(input, pointer);
        break;
    }
  }

  /** Adds an interrupt if there is something to interrupt that has not been interrupted yet. */
  async #addInterrupt(): Promise<void> {
    const last = this.#requestEvents.at(-1)?.type ?? (await this.#queries.lastType());
    if (last === 'user.interrupt') return;
    if (this.#requestEvents.length === 0 && !(await this.#queries.isInterruptible())) return;
    this.#push({ type: 'user.interrupt' });
  }

  async #addMessage(
    input: Extract<UserEventInput, { type: 'user.message' }>,
    pointer: string,
  ): Promise<void> {
    this.#checkMode(input.mode, `${pointer}/mode`);
    const parent = input.parent_id === undefined ? this.#head : input.parent_id;
    if (parent !== null && parent !== this.#head && !(await this.#hasMessage(parent))) {
      throw invalidField(
        `${pointer}/parent_id`,
        'must be the id of a `user.message` of this session, or null',
      );
    }
    if (parent !== this.#head) {
      requireFeature(this.#services.agents, this.#request.caller, 'edit');
      this.#leaveBranch();
    }
    this.#head = this.#push({
      type: input.type,
      content: input.content,
      parent_id: parent,
      ...(input.mode != null && { mode: input.mode }),
      ...(input.mentions?.length && { mentions: input.mentions }),
    });
  }

  async #hasMessage(id: string): Promise<boolean> {
    const isInRequest = this.#requestEvents.some(
      (event) => event.type === 'user.message' && event.id === id,
    );
    return isInRequest || (await this.#queries.hasMessage(id));
  }

  #checkMode(mode: string | null | undefined, pointer: string): void {
    if (mode == null) return;
    const { agent_id, agent_version } = this.#request.session;
    const agent = this.#services.agents.find(agent_id);
    const modes = (agent && agentVersion(agent, agent_version)?.modes) ?? [];
    if (modes.some(({ id }) => id === mode)) return;
    const names = modes.map(({ id }) => `\`${id}\``).join(', ');
    throw invalidField(
      pointer,
      names
        ? `must be one of the agent’s modes: ${names}`
        : 'must be left out: this agent has no modes',
    );
  }

  /** Throws if a tool result is too long as JSON, which is how it is stored and sent. */
  #checkResult(content: readonly unknown[], pointer: string): void {
    const maximum = this.#services.config.limits.run.tool_result_bytes;
    if (Buffer.byteLength(JSON.stringify(content)) <= maximum) return;
    throw invalidField(pointer, `must have at most ${maximum} bytes as JSON`);
  }

  async #addConfirmation(
    input: Extract<UserEventInput, { type: 'user.tool_confirmation' }>,
    pointer: string,
  ): Promise<void> {
    const call = await this.#requireUnconfirmed(input.tool_use_id, `${pointer}/tool_use_id`);
    const input_hash = inputHash(call);
    if (input.input_hash != null && input.input_hash !== input_hash) {
      throw new ApiError(
        'CONFLICT',
        `The call ${call.id} is not the one that was confirmed: it has another \`input_hash\`. Show it again as it is, and ask for confirmation.`,
      );
    }
    this.#push({
      type: input.type,
      tool_use_id: call.id,
      result: input.result,
      input_hash,
      ...(input.deny_message != null && { deny_message: input.deny_message }),
    });
  }

  /** Returns the call if it needs a confirmation; throws otherwise. */
  async #requireUnconfirmed(callId: string, pointer: string): Promise<ToolCall> {
    const event =
      (await this.#queries.find(callId, 'agent.tool_use')) ??
      (await this.#queries.find(callId, 'agent.custom_tool_use'));
    if (!event) {
      throw invalidField(
        pointer,
        'must be the id of an `agent.tool_use` or `agent.custom_tool_use` of this session',
      );
    }
    const call = await this.#callOf(event);
    if (call?.state === 'approval') return call;
    throw new ApiError('CONFLICT', `The call ${callId} does not wait for a confirmation.`);
  }

  /** Throws if the call does not wait for a result from the host page. */
  async #requireAwaitingResult(callId: string, pointer: string): Promise<void> {
    const event = await this.#queries.find(callId, 'agent.custom_tool_use');
    if (!event) {
      throw invalidField(pointer, 'must be the id of an `agent.custom_tool_use` of this session');
    }
    const call = await this.#callOf(event);
    if (call?.state === 'waiting') return;
    if (call?.state === 'approval') {
      throw new ApiError(
        'TOOL_CONFIRMATION_REQUIRED',
        `The user has not confirmed the call ${callId}. Send a \`user.tool_confirmation\` with their decision, and run the tool only if it is allowed.`,
      );
    }
    throw new ApiError('CONFLICT', `The call ${callId} no longer waits for an answer.`);
  }

  /** The call with its current state; undefined if a later message or interrupt settled it. */
  async #callOf(
    event: LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>,
  ): Promise<ToolCall | undefined> {
    if (await this.#queries.isSettledAfter(event.seq)) return undefined;
    const answers = await this.#queries.after(event.seq, answerTypes);
    return toolCallsOf([event, ...answers, ...this.#requestEvents])[0];
  }

  async #addCardAction(
    input: Extract<UserEventInput, { type: 'user.card_action' }>,
    pointer: string,
  ): Promise<void> {
    const { card_id, action, values = {} } = input;
    if (card_id === welcomeCardId) return this.#startWithCard({ action, values }, pointer);
    const cardEvent = await this.#queries.find(card_id, 'agent.card');
    if (!cardEvent) {
      throw invalidField(`${pointer}/card_id`, 'must be the id of an `agent.card` of this session');
    }
    const answers = await this.#queries.after(cardEvent.seq, ['user.card_action']);
    const isAnswered = [...answers, ...this.#requestEvents].some(
      (event) => event.type === 'user.card_action' && event.card_id === card_id,
    );
    if (isAnswered) {
      throw new ApiError(
        'CONFLICT',
        `The card ${card_id} was already answered. A card can be answered once.`,
      );
    }
    requireValidAnswer(blocksOf(cardEvent.card), { action, values }, pointer);
    const parent = await this.#branchEndOf(cardEvent);
    if (parent !== this.#head) this.#leaveBranch();
    this.#push({ type: input.type, card_id, action, values, parent_id: parent });
    this.#head = parent;
  }

  /**
   * Adds the welcome card before its answer, so that the log has the question that was answered, even
   * after a change of the configuration.
   */
  #startWithCard(answer: CardAnswer, pointer: string): void {
    const card = this.#services.agents.find(this.#request.session.agent_id)?.appearance.welcome
      ?.card;
    if (!card) {
      throw invalidField(
        `${pointer}/card_id`,
        'must be the id of an `agent.card` of this session: the agent has no welcome card',
      );
    }
    if (this.#lastSeq > 0 || this.#requestEvents.length > 0) {
      throw new ApiError(
        'CONFLICT',
        'The welcome card can only be answered by the first event of a session. Send a message, or create a session.',
      );
    }
    requireValidAnswer(card.blocks, answer, pointer);
    const card_id = this.#push({ type: 'agent.card', card });
    this.#serverEvents.add(card_id);
    this.#push({ type: 'user.card_action', card_id, ...answer, parent_id: null });
  }

  /**
   * The id of the last message of the branch that a card belongs to. If the card belongs to several
   * branches, this is the current branch.
   *
   * Reads every message of the log, but only once per card, because a card can be answered once.
   */
  async #branchEndOf(card: LogEvent<'agent.card'>): Promise<string | null> {
    const stored = await this.#queries.after(0, branchTypes);
    const log = [...stored, card].sort((first, second) => first.seq - second.seq);
    const branches = new Branches([...log, ...this.#requestEvents]);
    return branches.endOfBranchWith(card);
  }

  /** Adds an interrupt, which ends the run and the pending calls of the previous branch. */
  #leaveBranch(): void {
    this.#serverEvents.add(this.#push({ type: 'user.interrupt' }));
  }

  #push(draft: EventDraft): string {
    const id = this.#services.events.newEventId();
    const seq = this.#lastSeq + this.#requestEvents.length + 1;
    this.#drafts.push({ ...draft, id });
    this.#requestEvents.push({ ...draft, id, seq, processed_at: '' } as LogEvent);
    return id;
  }
}

type CardAnswer = Parameters<typeof checkCardAnswer>[1];

/** @throws `VALIDATION_ERROR` with all errors of the answer to a card. */
function requireValidAnswer(
  blocks: readonly CardBlock[],
  answer: CardAnswer,
  pointer: string,
): void {
  const errors = checkCardAnswer(blocks, answer);
  if (errors.length === 0) return;
  throw invalid(errors.map((error) => ({ ...error, pointer: pointer + error.pointer })));
}

/** Types of the events that answer a call. */
const answerTypes = [
  'agent.tool_result',
  'user.custom_tool_result',
  'user.tool_confirmation',
] as const;

/** Types of the events that determine to which branch later events belong. */
const branchTypes = ['user.message', 'user.card_action', 'span.model_request_start'] as const;
