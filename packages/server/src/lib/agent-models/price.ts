import type { ModelConfig, ModelPrice } from '../config/model.ts';
import type { ModelUsage } from './model.ts';

/** Returns the cost in micro-cents (millionths of a cent), rounded up so that no call is free. */
export function priceOf(usage: ModelUsage, price: ModelPrice): number {
  return Math.ceil(
    usage.inputTokens * price.input_cents_per_million +
      usage.outputTokens * price.output_cents_per_million,
  );
}

/** Returns the name of the model in `prices` of the configuration. */
export function priceNameOf(config: ModelConfig): string {
  return config.provider === 'scripted' ? 'scripted' : config.model;
}
