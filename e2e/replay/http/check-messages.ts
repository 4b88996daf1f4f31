import { type Fields, isFields, refuse } from './fields.ts';

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

/**
 * Refuses messages whose tool calls and tool results do not match, like a real endpoint.
 *
 * @throws {ApiError} Names the parameter.
 */
export function checkMessages(messages: unknown): void {
  if (!Array.isArray(messages) || messages.length === 0) {
    refuse('messages', 'must be a list with at least one message');
  }
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (!isFields(message)) refuse(at, 'must be an object');
    const role = message.role;
    if (typeof role !== 'string' || !roles.includes(role)) {
      refuse(`${at}.role`, `must be one of ${roles.join(', ')}`);
    }
    if (role === 'tool') {
      const id = message.tool_call_id;
      if (typeof id !== 'string') refuse(`${at}.tool_call_id`, 'must be a string');
      if (!open.includes(id)) {
        refuse(`${at}.tool_call_id`, 'must answer a tool call of the assistant message before it');
      }
      open = open.filter((each) => each !== id);
    } else if (open.length > 0) {
      refuse(at, `must be a tool message: there is no result for ${open.join(', ')}`);
    }
    checkContent(message, role, at);
    if (role === 'assistant') open = callIds(message, at);
  }
  if (open.length > 0) refuse('messages', `must end with the results of ${open.join(', ')}`);
}

function checkContent(message: Fields, role: string, at: string): void {
  const { content } = message;
  if (typeof content === 'string') return;
  if (role === 'assistant' && content == null && Array.isArray(message.tool_calls)) return;
  if (!Array.isArray(content) || content.length === 0) {
    refuse(`${at}.content`, 'must be a string or a list of parts');
  }
  for (const [index, part] of content.entries()) {
    if (!isFields(part) || typeof part.type !== 'string') {
      refuse(`${at}.content[${index}]`, 'must be an object with a type');
    }
  }
}

function callIds(message: Fields, at: string): string[] {
  const calls = message.tool_calls;
  if (calls == null) return [];
  if (!Array.isArray(calls) || calls.length === 0) {
    refuse(`${at}.tool_calls`, 'must have at least one call; omit it if there is none');
  }
  return calls.map((call: unknown, index) => {
    const called = isFields(call) ? call.function : undefined;
    if (!isFields(call) || typeof call.id !== 'string' || !isFields(called)) {
      refuse(`${at}.tool_calls[${index}]`, 'must have an id and a function');
    }
    if (typeof called.name !== 'string' || typeof called.arguments !== 'string') {
      refuse(`${at}.tool_calls[${index}].function`, 'must have a name and arguments as strings');
    }
    return call.id;
  });
}
