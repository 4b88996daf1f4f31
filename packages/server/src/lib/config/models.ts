import { modelApis } from '@inlay/protocol';
import * as z from 'zod';
import { type ModelPrice, OpenAiCompatibleModel, ScriptedModel } from './model.ts';

const name = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, underscores and hyphens');
const PerMinute = z.int('must be a whole number').min(0, 'must not be negative').default(0);

/** A provider that a model is available from: an upstream endpoint, or the scripted model. */
const ModelProvider = z.discriminatedUnion('provider', [
  // Without `max_output_tokens`, because callers set the limit of each request.
  OpenAiCompatibleModel.omit({ max_output_tokens: true, max_output_tokens_parameter: true }).extend(
    {
      /** Name of the provider, unique within the model. */
      name,
      /** False takes the provider out of service, for example during maintenance. */
      enabled: z.boolean().default(true),
      /** Whether callers may use this provider with a key of their own. */
      caller_keys: z.boolean().default(true),
    },
  ),
  ScriptedModel.extend({
    name: name.default('scripted'),
    enabled: z.boolean().default(true),
  }),
]);
export type ModelProvider = z.output<typeof ModelProvider>;
export type UpstreamProvider = Extract<ModelProvider, { provider: 'openai-compatible' }>;

/** A model that API keys can use at `/model/v1`. */
const CatalogueModel = z.strictObject({
  /** Id of the model in requests, such as `acme/large-2`, and its name in `prices`. */
  id: z
    .string()
    .regex(/^[^\s\p{C}]+$/u, 'must not be empty, and must not contain spaces')
    .max(128, 'must have at most 128 characters'),
  /** Name for people; the id by default. */
  name: z.string().min(1, 'must not be empty').max(200).optional(),
  /** Description for people. */
  description: z.string().max(1000).nullable().default(null),
  /** Providers, tried in this order until one responds. */
  providers: z.array(ModelProvider).min(1, 'must hold at least one provider'),
  /** Protocols that the model offers. */
  supported_apis: z
    .array(z.enum(modelApis))
    .min(1, 'must hold at least one')
    .default(['chat_completions']),
  /** Body parameters that the model supports; null if that is not known. */
  supported_parameters: z.array(z.string().min(1)).nullable().default(null),
  /** Types of `response_format` that the model supports. */
  response_formats: z
    .array(z.enum(['text', 'json_object', 'json_schema']))
    .default(['text', 'json_object', 'json_schema']),
  /** False for a model that always thinks: `reasoning_effort: "none"` is refused. */
  can_disable_thinking: z.boolean().default(true),
  /** Maximum tokens of input and output together; null if that is not known. */
  context_length: z.int().min(1).nullable().default(null),
  /** Requests of all API keys together; 0 means unlimited. */
  requests_per_minute: PerMinute,
  /** Tokens of input and output of all API keys together; 0 means unlimited. */
  tokens_per_minute: PerMinute,
  /** Maximum cost per UTC month; null for none. The model needs a price. */
  budget_cents_per_month: z.int().min(0, 'must not be negative').nullable().default(null),
});
export type CatalogueModel = z.output<typeof CatalogueModel>;

/** The catalogue of models. By default it contains the scripted model, which needs no upstream. */
export const CatalogueModels = z
  .array(CatalogueModel)
  .max(1000, 'must hold at most 1000 models')
  .prefault([{ id: 'scripted', providers: [{ provider: 'scripted' }] }]);

/** Finds duplicate ids and names, and budgets without a price, with their paths in `models`. */
export function catalogueFaults(
  models: readonly CatalogueModel[],
  prices: Readonly<Record<string, ModelPrice>>,
): { path: (string | number)[]; message: string }[] {
  const ids = models.map(({ id }) => id);
  return models.flatMap(({ id, providers, budget_cents_per_month: budget }, index) => {
    const names = providers.map((provider) => provider.name);
    return [
      ...(ids.indexOf(id) < index
        ? [{ path: [index, 'id'], message: `\`${id}\` is already used` }]
        : []),
      ...names.flatMap((providerName, position) =>
        names.indexOf(providerName) < position
          ? [
              {
                path: [index, 'providers', position, 'name'],
                message: `\`${providerName}\` is already used`,
              },
            ]
          : [],
      ),
      ...(budget !== null && !Object.hasOwn(prices, id)
        ? [
            {
              path: [index, 'budget_cents_per_month'],
              message: `would never be reached, because \`${id}\` has no price. Add \`${id}\` to \`prices\` of the configuration`,
            },
          ]
        : []),
    ];
  });
}
