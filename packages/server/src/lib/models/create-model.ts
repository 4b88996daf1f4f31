import type { ModelConfig } from '../config/model.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Model } from './model.ts';
import type { OpenAiCompatibleOptions } from './openai/openai-compatible.ts';
import { createScripted } from './scripted/scripted.ts';

/**
 * Creates the model of a configuration. Called for each request, so that changed settings apply to
 * the next response.
 */
export function createModel(
  config: ModelConfig,
  deps: Pick<ServiceOptions, 'baseUrl' | 'clock' | 'config' | 'secret'>,
): Model {
  switch (config.provider) {
    case 'scripted':
      return createScripted({
        script: config.script,
        delayMs: config.delay_ms,
        firstDelayMs: config.first_delay_ms,
        fail: config.fail,
        voice: config.voice,
        baseUrl: deps.baseUrl,
        clock: deps.clock,
      });
    case 'openai-compatible':
      return loadOnFirstUse({
        baseUrl: config.base_url,
        model: config.model,
        apiKey: (config.api_key_env && deps.secret(config.api_key_env)) || '',
        maxOutputTokens: config.max_output_tokens,
        firstEventTimeout: config.first_event_timeout_ms,
        idleTimeout: config.idle_timeout_ms,
        limits: deps.config.limits.run,
        clock: deps.clock,
      });
  }
}

/** Loads the library on first use: it is large, and not needed without such a model. */
function loadOnFirstUse(options: OpenAiCompatibleOptions): Model {
  return {
    async *run(request, signal) {
      const { createOpenAiCompatible } = await import('./openai/openai-compatible.ts');
      yield* createOpenAiCompatible(options).run(request, signal);
    },
  };
}
