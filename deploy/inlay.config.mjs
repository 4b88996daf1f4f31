const { MODEL_BASE_URL, MODEL_NAME } = process.env;

/**
 * The configuration of compose.yaml. All options: docs/configuration.md
 *
 * @type {import('@inlay/server').ConfigInput}
 */
export default {
  // The nginx of compose.yaml.
  trusted_proxies: 1,
  agents: [
    {
      short_id: 'demo',
      name: 'Assistant',
      instructions: 'You are a helpful assistant. Be brief.',
      // Without `MODEL_BASE_URL`, a scripted model answers, which needs no network.
      model: MODEL_BASE_URL
        ? {
            provider: 'openai-compatible',
            base_url: MODEL_BASE_URL,
            model: MODEL_NAME,
            api_key_env: 'MODEL_API_KEY',
          }
        : { provider: 'scripted' },
      embed: { allowed_origins: ['http://localhost:*'] },
    },
  ],
};
