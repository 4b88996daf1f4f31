import { EraseEndUserRequest, Erasure } from '@inlay/protocol';
import { recordOperation } from '../audit/audit.ts';
import { type Route, route } from '../http/route.ts';
import { streamBody } from '../http/stream-body.ts';
import type { Services } from '../services.ts';
import { endUserPath, findEndUser } from '../tokens/end-user-routes.ts';
import { eraseUser } from './erase-user.ts';

/** Routes with which a backend answers the requests of a person about their data. */
export function erasureRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'post',
        path: `${endUserPath}/erase`,
        audience: 'backend',
        tag: 'End users',
        endsAccess: true,
        summary: 'Erase an end user',
        description:
          'Revokes the user’s tokens, and deletes everything that the platform has of the user of this agent: conversations, feedback, files, consents, records of tokens, the visitor, counters and the block. With `keep_block`, a blocked user stays blocked, by a pseudonym. The response is sent when all rows are deleted; the contents of files follow within seconds. What the user creates with a newer token stays.',
        body: EraseEndUserRequest,
        response: Erasure,
        problems: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
      },
      async (call) => {
        const { agent, externalUserId } = findEndUser(services, call);
        const user = { agentId: agent.id, externalUserId };
        return eraseUser(services, user, { keepBlock: call.body.keep_block ?? false });
      },
    ),

    route(
      {
        method: 'post',
        path: `${endUserPath}/export`,
        audience: 'backend',
        tag: 'End users',
        summary: 'Export the data of an end user',
        description:
          'A ZIP archive, which is created while it is sent: `user.json`, `embed_tokens.json` with the records of tokens, in `conversations` the current branch of each conversation as Markdown and all events as JSON, `consents.json`, and `feedback` and `files`.',
        response: null,
        responseType: 'application/zip',
        problems: ['NOT_FOUND'],
      },
      async (call) => {
        const { agent, externalUserId } = findEndUser(services, call);
        // Before the first byte: an export whose entry cannot be written is refused.
        await recordOperation(services.store.db);
        // Loaded on demand, so that the server starts faster.
        const { exportUser } = await import('./export-user.ts');
        return streamBody(call.c, services.log, {
          chunks: exportUser(services, { agentId: agent.id, externalUserId }),
          idleSeconds: services.config.limits.request.download_idle_seconds,
          headers: {
            'content-type': 'application/zip',
            'content-disposition': 'attachment; filename="end-user.zip"',
          },
        });
      },
    ),
  ];
}
