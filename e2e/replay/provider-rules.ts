/** A message of a request to a provider. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  readonly reasoning_content?: unknown;
}

export interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: { readonly google?: { readonly thought_signature?: unknown } };
}

/** A request to a provider. */
export interface ProviderRequest {
  /** Path with query. */
  readonly url: string;
  readonly body: { readonly messages: readonly ChatMessage[]; readonly [name: string]: unknown };
}

/** Describes why a provider refuses a request; null if the rule accepts it. */
export type Rule = (request: ProviderRequest) => string | null;

const messagesOf = ({ body }: ProviderRequest) => body.messages;
const isBlank = (content: unknown) => typeof content !== 'string' || content.trim() === '';

/** Refuses body parameters, in the words of OpenAI. */
export const unsupported =
  (name: string, instead: string): Rule =>
  ({ body }) =>
    name in body
      ? `Unsupported parameter: '${name}' is not supported with this model. Use '${instead}' instead.`
      : null;

/** Refuses body parameters and members of messages that the endpoint does not know, as Mistral does. */
export const onlyKnown =
  (parameters: readonly string[], members: readonly string[]): Rule =>
  ({ body }) => {
    const unknown = [
      ...Object.keys(body).filter((name) => !parameters.includes(name)),
      ...body.messages.flatMap((message) =>
        Object.keys(message).filter((name) => !members.includes(name)),
      ),
    ];
    return unknown.length > 0 ? `extra_forbidden: ${unknown.join(', ')}` : null;
  };

/** Requires a form of the ids of calls. */
export const callIds =
  (pattern: RegExp): Rule =>
  (request) => {
    const ids = messagesOf(request).flatMap((message) => [
      ...(message.tool_calls ?? []).map(({ id }) => id),
      ...(message.tool_call_id === undefined ? [] : [message.tool_call_id]),
    ]);
    const wrong = ids.find((id) => !pattern.test(id));
    return wrong === undefined ? null : `Tool call id was ${wrong} but must match ${pattern}`;
  };

/**
 * Requires the user and the agent to alternate, and the system message to be the first. As in the
 * templates of models, messages with calls and results do not count.
 */
export const alternate: Rule = (request) => {
  let before = 'assistant';
  for (const [index, { role, tool_calls }] of messagesOf(request).entries()) {
    if (role === 'system' && index > 0) return 'System message must be at the beginning';
    if (tool_calls || (role !== 'user' && role !== 'assistant')) continue;
    if (role === before)
      return 'Conversation roles must alternate user/assistant/user/assistant/...';
    before = role;
  }
  return null;
};

/** Requires the agent to answer tool results before the user speaks. */
export const noUserAfterTool: Rule = (request) => {
  const messages = messagesOf(request);
  return messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool')
    ? "Unexpected role 'user' after role 'tool'"
    : null;
};

/** Requires the request to end with the user or a tool. */
export const noAgentAtEnd: Rule = (request) =>
  messagesOf(request).at(-1)?.role === 'assistant'
    ? 'Expected last role User or Tool but got assistant'
    : null;

/** Requires each message of the agent to have text or calls, and each message of the user to have text. */
export const nothingEmpty: Rule = (request) =>
  messagesOf(request).some(
    ({ role, content, tool_calls = [] }) =>
      (role === 'assistant' &&
        tool_calls.length === 0 &&
        !Array.isArray(content) &&
        isBlank(content)) ||
      (role === 'user' && isBlank(content)),
  )
    ? 'messages: text content blocks must be non-empty'
    : null;

/** Requires the arguments of calls to be JSON objects. */
export const objectArguments: Rule = (request) => {
  try {
    for (const { tool_calls = [] } of messagesOf(request)) {
      for (const call of tool_calls) {
        if (!(JSON.parse(call.function.arguments) instanceof Object)) return 'not an object';
      }
    }
    return null;
  } catch {
    return 'invalid tool call arguments';
  }
};

/** Requires the signature of Gemini in the first call of each message of the agent. */
export const signatures: Rule = (request) =>
  messagesOf(request).some(
    ({ tool_calls: [call] = [] }) =>
      call && typeof call.extra_content?.google?.thought_signature !== 'string',
  )
    ? 'Function call is missing a thought_signature in functionCall parts.'
    : null;

/** Requires the reasoning of the agent's messages with calls, as DeepSeek and Kimi do. */
export const reasoningOfCalls: Rule = (request) =>
  messagesOf(request).some(
    ({ tool_calls, reasoning_content }) => tool_calls && isBlank(reasoning_content),
  )
    ? 'The `reasoning_content` in the thinking mode must be passed back to the API.'
    : null;

/** Requires a path and a query. */
export const address =
  (url: string): Rule =>
  (request) =>
    request.url === url ? null : `Resource not found: ${request.url}`;
