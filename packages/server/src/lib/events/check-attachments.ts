import type { Transaction } from 'kysely';
import { requireFeature } from '../agents/require-feature.ts';
import { attachmentPolicy } from '../files/attachment-policy.ts';
import { invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { fileIdOf } from './file-ids.ts';
import type { SendRequest } from './send-request.ts';

/**
 * Checks that the user has uploaded each attached file, and that no message has too many files. Runs
 * inside the transaction that adds the references to the files, so that no file is deleted in the
 * meantime.
 *
 * @throws `VALIDATION_ERROR` with a pointer to the attachment; `EMBED_FEATURE_DISABLED` if the agent
 *   allows no attachments.
 */
export async function checkAttachments(
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
    requireFeature(agents, session.agent_id, 'attachments');
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
