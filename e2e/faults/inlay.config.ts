/** Configuration of the platform for tests with several processes. */
const unlimited = { requests_per_second: 10_000, concurrent: 1_000 };

export default {
  limits: { api_key: unlimited, source: unlimited },
  agents: [
    {
      short_id: 'test',
      name: 'Test agent',
      model: { provider: 'scripted', delay_ms: 25, first_delay_ms: 0 },
      embed: { allowed_origins: ['https://app.example.com'], limits: unlimited },
    },
  ],
};
