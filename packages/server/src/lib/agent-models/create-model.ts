import type { ModelConfig } from '../config/model.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Model } from './model.ts';
import type { OpenAiCompatibleOptions } from './openai/openai-compatible.ts';
import { createScripted } from './scripted/scripted.ts';

/**
 * Creates the model of a configuration. The server calls this for each request, so that changed
 * settings apply to the next response.
 */
export function createModel(
  config: ModelConfig,
  services: Pick<ServiceOptions, 'baseUrl' | 'clock' | 'config' | 'secret'>,
): Model {
  switch (config.provider) {
    case 'scripted':
      return createScripted({
        script: config.script,
        scenarios: config.scenarios,
        delayMs: config.delay_ms,
        firstDelayMs: config.first_delay_ms,
        fail: config.fail,
        voice: config.voice,
        baseUrl: services.baseUrl,
        clock: services.clock,
      });
    case 'openai-compatible':
      return loadOnFirstUse({
        baseUrl: config.base_url,
        model: config.model,
        apiKey: (config.api_key_env && services.secret(config.api_key_env)) || '',
        maxOutputTokens: config.max_output_tokens,
        maxOutputTokensParameter: config.max_output_tokens_parameter,
        firstEventTimeout: config.first_event_timeout_ms,
        idleTimeout: config.idle_timeout_ms,
        limits: services.config.limits.run,
        clock: services.clock,
      });
  }
}

/** Loads the module on first use, so that the server starts faster. */
function loadOnFirstUse(options: OpenAiCompatibleOptions): Model {
  return {
    async *run(request, signal) {
      const { createOpenAiCompatible } = await import('./openai/openai-compatible.ts');
      yield* createOpenAiCompatible(options).run(request, signal);
    },
  };
}
