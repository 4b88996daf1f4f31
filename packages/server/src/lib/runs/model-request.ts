import type { LogEvent } from '@inlay/protocol';
import { TextBlock } from '@inlay/protocol';
import { Branches } from '@inlay/protocol/branches';
import * as z from 'zod/mini';
import type { ModelRequest } from '../agent-models/model.ts';
import { type Agent, type AgentVersion, agentVersion } from '../agents/agent.ts';
import type { AgentMode } from '../config/agent.ts';
import type { ModelConfig } from '../config/model.ts';
import type { SessionsTable } from '../store/schema.ts';
import { type BuiltInTool, builtInTools } from './built-in-tools.ts';
import { type LoadAttachment, toModelMessages } from './history.ts';
import type { ProviderMessages } from './provider-messages.ts';

/** A model request, with its model and the tools that it may call. */
export interface PreparedRequest {
  readonly model: ModelConfig;
  readonly request: ModelRequest;
  readonly tools: AgentVersion['tools'];
  readonly builtIns: readonly BuiltInTool[];
}

/** Builds the next model request of a session. Returns null if the agent or its version was deleted. */
export async function prepareModelRequest(
  log: readonly LogEvent[],
  session: SessionsTable,
  agent: Agent | null,
  load: {
    readonly attachment: LoadAttachment;
    readonly providerMessages: (model: ModelConfig) => Promise<ProviderMessages>;
  },
): Promise<PreparedRequest | null> {
  const version = agent && agentVersion(agent, session.agent_version);
  if (!version) return null;
  const mode = modeOf(log, version.modes);
  const builtIns = builtInTools(agent.appearance);
  const configured = version.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input_schema,
  }));
  const model = mode?.model ?? version.model;
  return {
    model,
    tools: version.tools,
    builtIns,
    request: {
      system: systemPrompt([version.instructions, mode?.instructions ?? ''], session),
      messages: await toModelMessages(log, load.attachment, await load.providerMessages(model)),
      tools: [
        ...configured,
        ...builtIns.map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchema,
        })),
      ],
    },
  };
}

/** The mode of the message to respond to; the first mode if the message names no existing mode. */
function modeOf(log: readonly LogEvent[], modes: readonly AgentMode[]): AgentMode | undefined {
  const { head } = new Branches(log);
  const message = log.find((event) => event.id === head);
  const modeId = message?.type === 'user.message' ? message.mode : null;
  return modes.find(({ id }) => id === modeId) ?? modes[0];
}

/**
 * The agent's instructions, or the token's override, followed by the instructions of the mode and
 * the host's system message for the session.
 */
function systemPrompt(
  [instructions, mode]: readonly [instructions: string, mode: string],
  session: Pick<SessionsTable, 'override_system' | 'system_message'>,
): string {
  const blocks =
    session.system_message === null
      ? []
      : z.array(TextBlock).parse(JSON.parse(session.system_message));
  return [session.override_system ?? instructions, mode, ...blocks.map((block) => block.text)]
    .filter((text) => text !== '')
    .join('\n\n');
}
