/** Configuration of an agent whose model is the replay server. */

const createTool = (name: string, description: string, result: string) => ({
  type: 'function' as const,
  name,
  description,
  input_schema: { type: 'object', properties: {} },
  run: () => result,
});

export default {
  agents: [
    {
      short_id: 'demo',
      name: 'Replay',
      model: {
        provider: 'openai-compatible',
        base_url: process.env.REPLAY_URL ?? '',
        model: 'replay',
        api_key_env: 'REPLAY_KEY',
      },
      tools: [
        createTool('get_order', 'Looks up an order.', 'Order A-20417: two items, paid, shipped.'),
        createTool('track_parcel', 'Says where a parcel is.', 'In Zurich since 06:12.'),
      ],
      embed: { allowed_origins: ['http://localhost:*'] },
    },
  ],
  limits: { api_key: { requests_per_second: 100, concurrent: 50 } },
};
