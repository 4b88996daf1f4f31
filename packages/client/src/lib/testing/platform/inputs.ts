import {
  Card,
  type CardBlock,
  type UserContent,
  type UserEventInput,
  type UserMessageInput,
} from '@inlay/protocol';
import { checkCardAnswer } from '@inlay/protocol/card-answer';
import { attachmentsOf, requireFeature } from './features.ts';
import type { PlatformParts } from './platform-parts.ts';
import { invalidField, invalidFields, ProblemError } from './problem-error.ts';
import type { EventDraft, LoggedEvent, ScriptedSession } from './session.ts';
import { configFor } from './settings.ts';

/** An event to log. */
interface InputDraft {
  readonly draft: EventDraft;
  /** Whether the request contains it, so that it is part of the response. */
  readonly isSent: boolean;
}

/**
 * Logs the user's events, all or none.
 *
 * @param path JSON Pointer to the events in the body.
 * @throws {ProblemError} For an invalid event.
 */
export function logInputs(
  { settings, files, sessions }: PlatformParts,
  session: ScriptedSession,
  inputs: readonly UserEventInput[],
  path: string,
): LoggedEvent[] {
  let { head } = session.branches;
  const newMessages = new Set<string>();
  let last = session.log.at(-1)?.type;
  let canStop = isInterruptible(session);
  const drafts = inputs.flatMap((input, index): InputDraft[] => {
    const pointer = `${path}/${index}`;
    const log = (draft: EventDraft): InputDraft[] => {
      last = draft.type;
      canStop = true;
      return [{ draft, isSent: true }];
    };
    /** Logs an event of a branch. A run of another branch is interrupted. */
    const logOnBranch = (parent: string | null, draft: EventDraft): InputDraft[] => {
      const changesBranch = parent !== head;
      head = parent;
      const interrupt = { draft: { type: 'user.interrupt' }, isSent: false };
      return changesBranch ? [interrupt, ...log(draft)] : log(draft);
    };
    switch (input.type) {
      case 'user.message': {
        checkMessage(input, pointer);
        const parent = input.parent_id === undefined ? head : input.parent_id;
        if (parent !== null && !session.branches.has(parent) && !newMessages.has(parent)) {
          const message = 'must be the id of a `user.message` of this session, or null';
          throw invalidField(`${pointer}/parent_id`, message);
        }
        if (parent !== head) requireFeature(settings, session.user, 'edit');
        const id = session.nextId();
        newMessages.add(id);
        const { type, content, mode, mentions } = input;
        const optionalFields = {
          ...(mode != null && { mode }),
          ...(mentions?.length && { mentions }),
        };
        const drafts = logOnBranch(parent, {
          type,
          id,
          content,
          parent_id: parent,
          ...optionalFields,
        });
        head = id;
        return drafts;
      }
      case 'user.card_action': {
        const { type, card_id, action, values = {} } = input;
        if (card_id === 'welcome') {
          const { card } = configFor(settings, session.user).welcome ?? {};
          if (!card) {
            throw invalidField(
              `${pointer}/card_id`,
              'must be the id of an `agent.card` of this session: `config` has no `welcome.card`',
            );
          }
          if (index > 0 || session.log.length > 0) {
            throw new ProblemError('CONFLICT', {
              detail: 'The welcome card can only be answered by the first event of a session.',
            });
          }
          requireValidAnswer(card.blocks, { action, values }, pointer);
          const id = session.nextId();
          return [
            { draft: { type: 'agent.card', id, card }, isSent: false },
            ...log({ type, card_id: id, action, values, parent_id: null }),
          ];
        }
        const card = session.log.find(({ id, type }) => id === card_id && type === 'agent.card');
        if (!card) {
          throw invalidField(
            `${pointer}/card_id`,
            'must be the id of an `agent.card` of this session',
          );
        }
        if (session.log.some((event) => event.card_id === card_id)) {
          throw new ProblemError('CONFLICT', {
            detail: `The card ${card_id} has already been answered.`,
          });
        }
        const blocks = Card.safeParse(card.card).data?.blocks ?? [];
        requireValidAnswer(blocks, { action, values }, pointer);
        const parent = session.branches.endOfBranchWith(card);
        return logOnBranch(parent, { type, card_id, action, values, parent_id: parent });
      }
      case 'user.tool_confirmation': {
        const { type, tool_use_id, result, deny_message } = input;
        const input_hash = sessions.runner(session).check(input, index)?.input_hash;
        if (input.input_hash != null && input.input_hash !== input_hash) {
          const detail = `The call ${tool_use_id} differs from the call that was confirmed.`;
          throw new ProblemError('CONFLICT', { detail });
        }
        const reason = deny_message != null && { deny_message };
        return log({ type, tool_use_id, result, input_hash, ...reason });
      }
      case 'user.custom_tool_result': {
        sessions.runner(session).check(input, index);
        const { type, custom_tool_use_id, content = [], is_error } = input;
        return log({ type, custom_tool_use_id, content, is_error: is_error === true });
      }
      default:
        // An interrupt without a run to stop, or directly after another interrupt, is not logged.
        return canStop && last !== input.type ? log({ type: input.type }) : [];
    }
  });
  const logged = session.input(...drafts.map(({ draft }) => draft));
  return logged.filter((_, index) => drafts[index]?.isSent);

  function checkMessage({ mode, content }: UserMessageInput, pointer: string): void {
    const modes = configFor(settings, session.user).modes ?? [];
    if (mode != null && modes.every(({ id }) => id !== mode)) {
      throw invalidField(`${pointer}/mode`, 'must be one of the agent’s modes');
    }
    checkAttachments(content, `${pointer}/content`);
  }

  function checkAttachments(content: UserContent, pointer: string): void {
    const attached = content.flatMap((block, index) =>
      block.type === 'text' ? [] : [{ id: block.source.file_id, index }],
    );
    if (attached.length === 0) return;
    requireFeature(settings, session.user, 'attachments');
    const { max_files } = attachmentsOf(settings, session.user);
    if (new Set(attached.map(({ id }) => id)).size > max_files) {
      throw invalidField(pointer, `must have at most ${max_files} attachments`);
    }
    const foreign = attached.find(({ id }) => !files.isOwn(session.user, id));
    if (foreign) {
      const message = 'must be the id of a file that you uploaded';
      throw invalidField(`${pointer}/${foreign.index}/source/file_id`, message);
    }
  }
}

/** @throws {ProblemError} With all errors of the answer to a card. */
function requireValidAnswer(
  blocks: readonly CardBlock[],
  answer: Parameters<typeof checkCardAnswer>[1],
  pointer: string,
): void {
  const faults = checkCardAnswer(blocks, answer);
  if (faults.length > 0) {
    throw invalidFields(faults.map((each) => ({ ...each, pointer: pointer + each.pointer })));
  }
}

/** Whether there is something to interrupt: a run, an unanswered message or a waiting call. */
function isInterruptible({ log, running }: ScriptedSession): boolean {
  const status = log.findLast(({ type }) => type.startsWith('session.status_'));
  const reason = status?.stop_reason as { type: string } | undefined;
  return (
    running ||
    reason?.type === 'requires_action' ||
    log.slice(status?.seq ?? 0).some(({ type }) => type.startsWith('user.'))
  );
}
