/**
 * Names of attributes in the semantic conventions of OpenTelemetry, version 1.41. Those of HTTP are stable;
 * those of generative AI are in development, and may change.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 * @see https://github.com/open-telemetry/semantic-conventions-genai
 */
export const names = {
  errorType: 'error.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  urlScheme: 'url.scheme',
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  agentVersion: 'gen_ai.agent.version',
  requestModel: 'gen_ai.request.model',
  requestMaxTokens: 'gen_ai.request.max_tokens',
  requestStream: 'gen_ai.request.stream',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCallId: 'gen_ai.tool.call.id',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
} as const;

/** The address of a server: its host and port. The rest of a URL may contain secrets. */
export function addressAttributes({ hostname, port, protocol }: URL) {
  return {
    [names.serverAddress]: hostname,
    [names.serverPort]: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}
