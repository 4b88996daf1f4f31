/** Configuration with a tool that returns the id of the active span. */
import { trace } from '@opentelemetry/api';

export default {
  telemetry: { content: process.env.TEST_CONTENT === 'true' },
  limits: { user: { runs: 1 } },
  webhooks: { allowed_private_hosts: ['127.0.0.1'] },
  agents: [
    {
      short_id: 'test',
      name: 'Desk',
      model: { provider: 'openai-compatible', base_url: process.env.TEST_MODEL_URL, model: 'm' },
      tools: [
        {
          type: 'function',
          name: 'look_up',
          description: 'Looks something up.',
          input_schema: { type: 'object' },
          run: () => `active: ${trace.getActiveSpan()?.spanContext().spanId}`,
        },
      ],
      embed: { allowed_origins: ['https://app.example.com'] },
    },
  ],
};
