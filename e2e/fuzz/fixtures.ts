import { apiKey, catalogueModel, origin, type Platform, unlimited } from './platform.ts';
import type { Fixtures } from './requests/values.ts';

type ResponseBody = Record<string, unknown> & {
  data?: { id: string }[];
  current_revision?: { id: string };
};

/** Source of a workflow, which is also a valid source of a script. */
const source = 'do: [fuzz/fixture]';

/**
 * Creates an agent, a user with a token, a session, a file, an action, a script, a workflow, and objects
 * of the chat-model family, so that requests can refer to existing resources. They have to be created
 * again regularly, because requests revoke, block and delete them.
 *
 * @param number Part of the names, which must be unique on the platform.
 */
export async function createFixtures(
  { url }: Platform,
  number: number | string,
): Promise<Fixtures> {
  const user = `user-${number}`;
  const backend = (path: string, body: object) => call(apiKey, path, body);

  const agent = await backend('/agents', {
    short_id: `fuzz-${number}`,
    name: 'Fuzz',
    model: { provider: 'scripted', script: [{ say: 'Yes.' }], delay_ms: 0, first_delay_ms: 0 },
    embed: { allowed_origins: [origin], limits: unlimited },
  });
  const key = await backend(`/agents/${agent.id}/publishable_keys`, {});
  const issued = await backend('/embed_tokens', { agent: 'fuzz', external_user_id: user });
  const other = await backend('/embed_tokens', { agent: agent.id, external_user_id: user });
  const token = String(issued.token);
  const session = await call(token, '/sessions', {
    initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }],
  });
  const events = await call(token, `/sessions/${session.id}/events?limit=1`);
  const file = await call(token, '/files', createFile());
  const names = { namespace: 'fuzz', name: `fixture-${number}` };
  const automation = (path: string, body: object) => call(apiKey, path, body, '/automation/v1');
  const implementation = { kind: 'code', source };
  const action = await automation('/actions', { ...names, implementation });
  // A script and a workflow cannot have the same name.
  const workflow = `workflow-${number}`;
  await automation('/scripts', { ...names, source });
  await automation('/workflows', { ...names, name: workflow, source });
  const script = `/scripts/${names.namespace}/${names.name}`;
  // Only the script gets this version, so that requests can publish it for the workflow.
  await automation(`${script}/versions`, { version: '1.0.0' });
  const id = String(agent.id);
  const chatModel = (path: string, body: object) => call(apiKey, path, body, '/chat-model/v1');
  const input = [{ role: 'user', content: 'Hello' }];
  const response = await chatModel('/responses', { model: catalogueModel, input });
  const conversation = await chatModel('/conversations', { items: input });
  const items = await call(
    apiKey,
    `/conversations/${conversation.id}/items`,
    undefined,
    '/chat-model/v1',
  );
  const video = await chatModel('/videos', { model: 'm', prompt: 'A cat' });
  const document = createFile();
  document.set('purpose', 'user_data');
  const upload = await chatModel('/files', document);
  const vectorStore = await chatModel('/vector_stores', { name: 'Fuzz' });
  const batch = await chatModel(`/vector_stores/${vectorStore.id}/file_batches`, {
    file_ids: [String(upload.id)],
  });
  return {
    apiKey,
    embedToken: token,
    no: 'et_unknown',
    origin,
    agent: 'fuzz',
    agent_id: id,
    external_user_id: user,
    publishable_key: 'pk_fuzz',
    event_id: events.data?.[0]?.id ?? '',
    parent_id: events.data?.[0]?.id ?? '',
    file_id: String(file.id),
    'agents/id': id,
    'agents/agent_id': id,
    'end_users/external_user_id': user,
    'embed_tokens/id': String(other.id),
    'publishable_keys/key': String(key.key),
    'versions/version': '1',
    'sessions/id': String(session.id),
    'files/id': String(file.id),
    namespace: names.namespace,
    source,
    version: '1.0.0',
    'actions/ns': names.namespace,
    'actions/name': names.name,
    'scripts/ns': names.namespace,
    'scripts/name': names.name,
    'workflows/ns': names.namespace,
    'workflows/name': workflow,
    'revisions/revision': action.current_revision?.id ?? '',
    'dist_tags/tag': 'latest',
    model: catalogueModel,
    previous_response_id: String(response.id),
    conversation: String(conversation.id),
    'models/model': catalogueModel,
    'responses/id': String(response.id),
    'conversations/id': String(conversation.id),
    'items/item': items.data?.[0]?.id ?? '',
    'videos/id': String(video.id),
    'files/file_id': String(upload.id),
    'vector_stores/id': String(vectorStore.id),
    'file_batches/batch_id': String(batch.id),
  };

  async function call(
    credential: string,
    path: string,
    body?: object,
    prefix = '/agent/v1',
  ): Promise<ResponseBody> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${prefix}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${credential}`,
        // The server could close an idle keep-alive connection just when it is used again.
        connection: 'close',
        ...(credential !== apiKey && { origin }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${text}`);
    return JSON.parse(text) as ResponseBody;
  }
}

function createFile(): FormData {
  const form = new FormData();
  form.set('file', new File(['hello'], 'hello.txt', { type: 'text/plain' }));
  return form;
}
