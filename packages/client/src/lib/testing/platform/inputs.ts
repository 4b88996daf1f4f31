import {
  Card,
  type UserContent,
  type UserEventInput,
  type UserMessageInput,
} from '@inlay/protocol';
import { checkCardAnswer } from '@inlay/protocol/card-answer';
import { attachmentsOf, requireFeature } from './features.ts';
import type { PlatformParts } from './parts.ts';
import { invalidField, invalidFields, Refusal } from './refusal.ts';
import type { EventDraft, LoggedEvent, ScriptedSession } from './session.ts';
import { configFor } from './settings.ts';

/** An event to log. `added`: it was not sent, and is not part of the response. */
interface Draft {
  readonly draft: EventDraft;
  readonly added: boolean;
}

/** Logs the user's events, all or none. Throws for an invalid one. */
export function takeInputs(
  { settings, files, sessions }: PlatformParts,
  session: ScriptedSession,
  inputs: readonly UserEventInput[],
  place: string,
): LoggedEvent[] {
  let { head } = session.branches;
  const added = new Set<string>();
  let last = session.log.at(-1)?.type;
  let canStop = isInterruptible(session);
  const drafts = inputs.flatMap((input, at): Draft[] => {
    const pointer = `${place}/${at}`;
    const take = (draft: EventDraft): Draft[] => {
      last = draft.type;
      canStop = true;
      return [{ draft, added: false }];
    };
    /** Interrupts the run of a branch that is left. */
    const onBranch = (parent: string | null, draft: EventDraft): Draft[] => {
      const leaves = parent !== head;
      head = parent;
      const interrupt = { draft: { type: 'user.interrupt' }, added: true };
      return leaves ? [interrupt, ...take(draft)] : take(draft);
    };
    switch (input.type) {
      case 'user.message': {
        checkMessage(input, pointer);
        const parent = input.parent_id === undefined ? head : input.parent_id;
        if (parent !== null && !session.branches.has(parent) && !added.has(parent)) {
          const message = 'must be the id of a `user.message` of this session, or null';
          throw invalidField(`${pointer}/parent_id`, message);
        }
        if (parent !== head) requireFeature(settings, session.user, 'edit');
        const id = session.nextId();
        added.add(id);
        const { type, content, mode, mentions } = input;
        const more = { ...(mode != null && { mode }), ...(mentions?.length && { mentions }) };
        const made = onBranch(parent, { type, id, content, parent_id: parent, ...more });
        head = id;
        return made;
      }
      case 'user.card_action': {
        const { type, card_id, action, values = {} } = input;
        const card = session.log.find(({ id, type }) => id === card_id && type === 'agent.card');
        if (!card) {
          throw invalidField(
            `${pointer}/card_id`,
            'must be the id of an `agent.card` of this session',
          );
        }
        if (session.log.some((event) => event.card_id === card_id)) {
          throw new Refusal('CONFLICT', {
            detail: `The card ${card_id} has already been answered.`,
          });
        }
        const blocks = Card.safeParse(card.card).data?.blocks ?? [];
        const faults = checkCardAnswer(blocks, { action, values });
        if (faults.length > 0) {
          throw invalidFields(faults.map((each) => ({ ...each, pointer: pointer + each.pointer })));
        }
        const parent = session.branches.endOfBranchWith(card);
        return onBranch(parent, { type, card_id, action, values, parent_id: parent });
      }
      case 'user.tool_confirmation': {
        const { type, tool_use_id, result, deny_message } = input;
        const input_hash = sessions.runner(session).check(input, at)?.input_hash;
        if (input.input_hash != null && input.input_hash !== input_hash) {
          const detail = `The call ${tool_use_id} is not the one that was confirmed.`;
          throw new Refusal('CONFLICT', { detail });
        }
        const reason = deny_message != null && { deny_message };
        return take({ type, tool_use_id, result, input_hash, ...reason });
      }
      case 'user.custom_tool_result': {
        sessions.runner(session).check(input, at);
        const { type, custom_tool_use_id, content = [], is_error } = input;
        return take({ type, custom_tool_use_id, content, is_error: is_error === true });
      }
      default:
        // An interrupt that finds nothing to stop, or directly follows another, is not stored.
        return canStop && last !== input.type ? take({ type: input.type }) : [];
    }
  });
  const logged = session.input(...drafts.map(({ draft }) => draft));
  return logged.filter((_, at) => drafts[at]?.added === false);

  function checkMessage({ mode, content }: UserMessageInput, pointer: string): void {
    const modes = configFor(settings, session.user).modes ?? [];
    if (mode != null && modes.every(({ id }) => id !== mode)) {
      throw invalidField(`${pointer}/mode`, 'must be one of the agent’s modes');
    }
    checkAttachments(content, `${pointer}/content`);
  }

  function checkAttachments(content: UserContent, pointer: string): void {
    const attached = content.flatMap((block, at) =>
      block.type === 'text' ? [] : [{ id: block.source.file_id, at }],
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
      throw invalidField(`${pointer}/${foreign.at}/source/file_id`, message);
    }
  }
}

/** Whether there is a run to stop, or a message or call that is pending. */
function isInterruptible({ log, running }: ScriptedSession): boolean {
  const status = log.findLast(({ type }) => type.startsWith('session.status_'));
  const reason = status?.stop_reason as { type: string } | undefined;
  return (
    running ||
    reason?.type === 'requires_action' ||
    log.slice(status?.seq ?? 0).some(({ type }) => type.startsWith('user.'))
  );
}
