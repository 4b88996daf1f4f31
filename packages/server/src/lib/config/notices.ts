import { nearestName } from '@inlay/protocol/nearest-name';
import type { Config } from './config.ts';
import { assumedPriceNotice } from './default-config.ts';

/** Environment variables of the platform, and of the applications that the quick starts show. */
const variables = new Set([
  'INLAY_ADMIN_SECRET',
  'INLAY_API_KEY',
  'INLAY_BASE_URL',
  'INLAY_CONFIG',
  'INLAY_DATA',
  'INLAY_DATABASE_POOL',
  'INLAY_MODEL',
  'INLAY_MODEL_API_KEY',
  'INLAY_MODEL_BASE_URL',
  'INLAY_MODEL_INPUT_PRICE',
  'INLAY_MODEL_OUTPUT_PRICE',
  'INLAY_URL',
]);

/**
 * Returns notices for the operator about settings that are valid, but probably not what was meant.
 *
 * @param isDefault Whether there is no configuration file.
 */
export function notices(
  environment: NodeJS.ProcessEnv,
  config: Config,
  isDefault: boolean,
): string[] {
  const { INLAY_MODEL: model, INLAY_MODEL_BASE_URL: baseUrl } = environment;
  const found: string[] = [];
  if (isDefault && model && !baseUrl) {
    found.push(
      'INLAY_MODEL is set and INLAY_MODEL_BASE_URL is not: the agent answers from a script. Set it to the URL of the API, such as `http://localhost:11434/v1` of Ollama.',
    );
  }
  if (isDefault && baseUrl && !model) {
    found.push(
      'INLAY_MODEL_BASE_URL is set and INLAY_MODEL is not: the agent answers from a script. Set it to the name of the model.',
    );
  }
  const price = isDefault ? assumedPriceNotice(environment) : null;
  if (price !== null) found.push(price);
  const configured = JSON.stringify(config);
  for (const name of Object.keys(environment)) {
    // The configuration can name other variables, for keys.
    if (!name.startsWith('INLAY_') || variables.has(name) || configured.includes(`"${name}"`))
      continue;
    const nearest = nearestName(name, variables);
    found.push(
      `${name} is set, and the platform has no such variable${nearest ? `: did you mean ${nearest}?` : '.'}`,
    );
  }
  config.agents.forEach((agent, index) => {
    if (agent.embed === null) {
      found.push(
        `agents[${index}] (${agent.short_id}) has no \`embed\`: no page can show it. Add \`embed: { allowed_origins: ['https://www.example.com'] }\`.`,
      );
    }
    for (const each of [agent, ...agent.modes]) {
      if (!each.model || !('base_url' in each.model)) continue;
      if (!/\/chat\/completions\/?$/.test(new URL(each.model.base_url).pathname)) continue;
      found.push(
        `The \`base_url\` of a model of agents[${index}] (${agent.short_id}) ends in /chat/completions, which the platform appends: remove it.`,
      );
    }
  });
  return found;
}
