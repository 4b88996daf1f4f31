const { INLAY_MODEL_BASE_URL: baseUrl, INLAY_MODEL: name, INLAY_MODEL_API_KEY: key } = process.env;

/** The model of the environment, as in the default configuration of the platform; undefined without one. */
export const realModel =
  baseUrl && name
    ? {
        provider: 'openai-compatible' as const,
        base_url: baseUrl,
        model: name,
        ...(key && { api_key_env: 'INLAY_MODEL_API_KEY' }),
      }
    : undefined;

const scripted = realModel && ({ provider: 'scripted' } as const);

/** Settings of the model, by the states of the failure “Model”. */
export const models = {
  normal: realModel ?? { first_delay_ms: 200, delay_ms: 20, fail: false },
  slow: { ...scripted, first_delay_ms: 2000, delay_ms: 300, fail: false },
  fail: { ...scripted, first_delay_ms: 200, delay_ms: 20, fail: true },
} as const;
