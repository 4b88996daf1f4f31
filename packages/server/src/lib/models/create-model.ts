import type { ModelConfig } from '../config/model.ts';
import type { Deps } from '../deps.ts';
import type { Model } from './model.ts';
import type { OpenAiCompatibleOptions } from './openai/openai-compatible.ts';
import { createScripted } from './scripted/scripted.ts';

/**
 * The model of a configuration. Made anew for each call, so that a setting that was changed at run
 * time counts from the next answer on. A new provider is a new case here and in the configuration.
 */
export function createModel(
  config: ModelConfig,
  deps: Pick<Deps, 'baseUrl' | 'clock' | 'config' | 'secret'>,
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
      return loadedWhenUsed({
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

/** The library is large, and not needed to start, nor by those who have no such model. */
function loadedWhenUsed(options: OpenAiCompatibleOptions): Model {
  return {
    async *run(request, signal) {
      const { createOpenAiCompatible } = await import('./openai/openai-compatible.ts');
      yield* createOpenAiCompatible(options).run(request, signal);
    },
  };
}
