import type { UserEventInput } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Files } from '../files/files.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import { type Call, callsOf } from '../runs/calls.ts';
import { fileIdOf } from '../runs/history.ts';

/** Makes log entries of what a person sends: only the fields that are known, nothing smuggled in. */
export function toDraft(input: UserEventInput): EventDraft {
  switch (input.type) {
    case 'user.message':
      return { type: input.type, content: input.content };
    case 'user.interrupt':
      return { type: input.type };
    case 'user.tool_confirmation':
      return {
        type: input.type,
        tool_use_id: input.tool_use_id,
        result: input.result,
        ...(input.deny_message != null && { deny_message: input.deny_message }),
      };
    case 'user.custom_tool_result':
      return {
        type: input.type,
        custom_tool_use_id: input.custom_tool_use_id,
        content: input.content ?? [],
        is_error: input.is_error === true,
      };
    case 'user.card_action':
      return {
        type: input.type,
        card_id: input.card_id,
        action: input.action,
        values: input.values ?? {},
      };
  }
}

/** Blocks that a message may have, each of which may bring a whole file before the model. */
const mostBlocks = 64;

/** Every attachment must be a file that this person uploaded. `pointer` leads to the events. */
export async function checkAttachments(
  inputs: readonly UserEventInput[],
  caller: EndUserCaller,
  files: Files,
  pointer: string,
): Promise<void> {
  for (const [at, input] of inputs.entries()) {
    if (input.type !== 'user.message') continue;
    if (input.content.length > mostBlocks) {
      throw invalidField(`${pointer}/${at}/content`, `must have at most ${mostBlocks} blocks`);
    }
    for (const [index, block] of input.content.entries()) {
      const fileId = fileIdOf(block);
      if (fileId !== null && !(await files.isOwn(caller, fileId))) {
        throw invalidField(
          `${pointer}/${at}/content/${index}/source/file_id`,
          'must be the id of a file that you uploaded',
        );
      }
    }
  }
}

/** Confirmations and results must answer a call that waits for one. */
export async function checkAnswers(
  inputs: readonly UserEventInput[],
  sessionId: string,
  events: EventLog,
): Promise<void> {
  const answers = inputs.flatMap((input, at): Answer[] => {
    if (input.type === 'user.tool_confirmation') {
      const pointer = `/events/${at}/tool_use_id`;
      return [{ pointer, callId: input.tool_use_id, runsOn: 'server' }];
    }
    if (input.type === 'user.custom_tool_result') {
      const pointer = `/events/${at}/custom_tool_use_id`;
      return [{ pointer, callId: input.custom_tool_use_id, runsOn: 'host' }];
    }
    return [];
  });
  if (answers.length === 0) return;
  const calls = callsOf(await events.read(sessionId, { after: 0 }));
  for (const { pointer, callId, runsOn } of answers) {
    const call = calls.find((candidate) => candidate.id === callId);
    if (call?.runsOn !== runsOn) throw invalidField(pointer, wantedId[runsOn]);
    if (call.state !== 'waiting') {
      throw new ApiError('CONFLICT', `The call ${callId} does not wait for an answer any more.`);
    }
  }
}

interface Answer {
  readonly pointer: string;
  readonly callId: string;
  readonly runsOn: Call['runsOn'];
}

const wantedId: Record<Call['runsOn'], string> = {
  server: 'must be the id of an `agent.tool_use` of this session',
  host: 'must be the id of an `agent.custom_tool_use` of this session',
};
