import type { LogEvent, UserEventInput } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import { agentVersion } from '../agents/agent.ts';
import { requireFeature } from '../agents/features.ts';
import { blocksOf } from '../cards/blocks-of.ts';
import { checkCardAnswer } from '../cards/check-answer.ts';
import { Branches } from '../events/branches.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { parseStored } from '../events/event-log.ts';
import { invalid } from '../http/validate.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import { type Call, callsOf } from '../runs/calls.ts';
import { inputHash } from '../runs/input-hash.ts';
import type { Schema } from '../store/schema.ts';
import { checkAttachments } from './check-attachments.ts';
import type { Conversations } from './conversations.ts';
import type { Sent } from './sent.ts';

/** A draft that has its id, so that what follows can name it. */
type Named<Draft> = Draft & { id: string };

/** Log entries of what was sent. */
export interface Prepared {
  readonly drafts: readonly Named<EventDraft>[];
  /** Ids of the interrupts among them that nobody sent: they come with another branch. */
  readonly added: ReadonlySet<string>;
}

/**
 * Checks what a person sends against the log, and makes entries of it: only the fields that are
 * known, nothing smuggled in. Inside the transaction that appends them, so that of two answers to
 * the same card only one counts, and a message follows what is really the last.
 */
export async function prepareEvents(
  conversations: Conversations,
  transaction: Transaction<Schema>,
  sent: Sent,
): Promise<Prepared> {
  await checkAttachments(conversations, transaction, sent);
  const log = await readLog(conversations, transaction, sent);
  return new Preparation(conversations, sent, log).perform();
}

/** What a person sends in answer to something that the agent did. */
const answering: ReadonlySet<string> = new Set([
  'user.tool_confirmation',
  'user.custom_tool_result',
  'user.card_action',
]);

/** All of it only for what answers something in it; otherwise what the branches are made of. */
async function readLog(
  { events }: Conversations,
  transaction: Transaction<Schema>,
  { session, inputs }: Sent,
): Promise<LogEvent[]> {
  if (inputs.some(({ type }) => answering.has(type))) {
    return events.read(session.id, { after: 0 }, transaction);
  }
  const rows = await transaction
    .selectFrom('events')
    .select('json')
    .where('session_id', '=', session.id)
    .where('type', 'in', ['user.message', 'user.card_action'])
    .orderBy('seq')
    .execute();
  return rows.map(({ json }) => parseStored(json));
}

class Preparation {
  readonly #conversations: Conversations;
  readonly #sent: Sent;
  /** With what is being sent: one thing that is sent may settle what the next one answers. */
  readonly #log: LogEvent[];
  readonly #branches: Branches;
  readonly #drafts: Named<EventDraft>[] = [];
  readonly #added = new Set<string>();

  constructor(conversations: Conversations, sent: Sent, log: readonly LogEvent[]) {
    this.#conversations = conversations;
    this.#sent = sent;
    this.#log = [...log];
    this.#branches = new Branches(log);
  }

  perform(): Prepared {
    for (const [at, input] of this.#sent.inputs.entries()) {
      this.#add(input, `${this.#sent.pointer}/${at}`);
    }
    return { drafts: this.#drafts, added: this.#added };
  }

  #add(input: UserEventInput, pointer: string): void {
    switch (input.type) {
      case 'user.message':
        this.#addMessage(input, pointer);
        break;
      case 'user.interrupt':
        this.#push({ type: input.type });
        break;
      case 'user.tool_confirmation':
        this.#addConfirmation(input, pointer);
        break;
      case 'user.custom_tool_result':
        this.#requireWaiting(input.custom_tool_use_id, 'host', `${pointer}/custom_tool_use_id`);
        this.#checkResult(input.content ?? [], `${pointer}/content`);
        this.#push({
          type: input.type,
          custom_tool_use_id: input.custom_tool_use_id,
          content: input.content ?? [],
          is_error: input.is_error === true,
        });
        break;
      case 'user.card_action':
        this.#addCardAction(input, pointer);
        break;
    }
  }

  #addMessage(input: Extract<UserEventInput, { type: 'user.message' }>, pointer: string): void {
    this.#checkMode(input.mode, `${pointer}/mode`);
    const parent = input.parent_id === undefined ? this.#branches.head : input.parent_id;
    if (parent !== null && !this.#branches.has(parent)) {
      throw invalidField(
        `${pointer}/parent_id`,
        'must be the id of a `user.message` of this session, or null',
      );
    }
    if (parent !== this.#branches.head) {
      requireFeature(this.#conversations.services.agents, this.#sent.session.agent_id, 'edit');
      this.#leaveBranch();
    }
    this.#push({
      type: input.type,
      content: input.content,
      parent_id: parent,
      ...(input.mode != null && { mode: input.mode }),
      ...(input.mentions?.length && { mentions: input.mentions }),
    });
  }

  #checkMode(mode: string | null | undefined, pointer: string): void {
    if (mode == null) return;
    const { agent_id, agent_version } = this.#sent.session;
    const agent = this.#conversations.services.agents.find(agent_id);
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

  /** As JSON, because that is how the log and every reader carry it. */
  #checkResult(content: readonly unknown[], pointer: string): void {
    const most = this.#conversations.services.config.limits.run.tool_result_bytes;
    if (Buffer.byteLength(JSON.stringify(content)) <= most) return;
    throw invalidField(pointer, `must have at most ${most} bytes as JSON`);
  }

  #addConfirmation(
    input: Extract<UserEventInput, { type: 'user.tool_confirmation' }>,
    pointer: string,
  ): void {
    const call = this.#requireWaiting(input.tool_use_id, 'server', `${pointer}/tool_use_id`);
    const input_hash = inputHash(call);
    if (input.input_hash != null && input.input_hash !== input_hash) {
      throw new ApiError(
        'CONFLICT',
        `The call ${call.id} is not the one that was confirmed: its \`input_hash\` is another. Show it as it stands, and ask again.`,
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

  /** Confirmations and results must answer a call that waits for one. */
  #requireWaiting(callId: string, runsOn: Call['runsOn'], pointer: string): Call {
    const call = callsOf(this.#log).find((candidate) => candidate.id === callId);
    if (call?.runsOn !== runsOn) throw invalidField(pointer, wantedId[runsOn]);
    if (call.state === 'waiting') return call;
    throw new ApiError('CONFLICT', `The call ${callId} does not wait for an answer any more.`);
  }

  #addCardAction(
    input: Extract<UserEventInput, { type: 'user.card_action' }>,
    pointer: string,
  ): void {
    const { card_id, action, values = {} } = input;
    const shown = this.#log.find((event) => event.id === card_id);
    if (shown?.type !== 'agent.card') {
      throw invalidField(`${pointer}/card_id`, 'must be the id of an `agent.card` of this session');
    }
    const isAnswered = this.#log.some(
      (event) => event.type === 'user.card_action' && event.card_id === card_id,
    );
    if (isAnswered) {
      throw new ApiError(
        'CONFLICT',
        `The card ${card_id} was answered already. A card takes one answer.`,
      );
    }
    const errors = checkCardAnswer(blocksOf(shown.card), { action, values });
    if (errors.length > 0) {
      throw invalid(errors.map((error) => ({ ...error, pointer: pointer + error.pointer })));
    }
    const parent = this.#branchOf(shown);
    if (parent !== this.#branches.head) this.#leaveBranch();
    this.#push({ type: input.type, card_id, action, values, parent_id: parent });
  }

  /** The end of the branch that a card stands in: the one that the log is on, wherever it can be. */
  #branchOf(card: LogEvent): string | null {
    const { head } = this.#branches;
    const owner = this.#branches.ownerOf(card);
    if (owner === null || this.#branches.pathTo(head).has(owner)) return head;
    return this.#branches.endOf(owner);
  }

  /** What runs, or waits, in the branch that is left has come to its end. */
  #leaveBranch(): void {
    this.#added.add(this.#push({ type: 'user.interrupt' }));
  }

  #push(draft: EventDraft): string {
    const id = this.#conversations.events.newEventId();
    const seq = (this.#log.at(-1)?.seq ?? 0) + 1;
    const event = { ...draft, id, seq, processed_at: '' } as LogEvent;
    this.#drafts.push({ ...draft, id });
    this.#log.push(event);
    this.#branches.add(event);
    return id;
  }
}

const wantedId: Record<Call['runsOn'], string> = {
  server: 'must be the id of an `agent.tool_use` of this session',
  host: 'must be the id of an `agent.custom_tool_use` of this session',
};
