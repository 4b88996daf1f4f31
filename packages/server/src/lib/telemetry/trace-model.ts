import {
  type FinishReason,
  type Model,
  type ModelContent,
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
} from '../agent-models/model.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { ModelConfig } from '../config/model.ts';
import { addressAttributes, names } from './attributes.ts';
import { startSpan, type TraceSpan } from './traces.ts';

interface TraceServices {
  readonly clock: Clock;
  readonly config: Pick<Config, 'telemetry'>;
}

/** Finish reasons as the conventions spell them. */
const finishReasons: Partial<Record<FinishReason, string>> = {
  end: 'stop',
  empty: 'stop',
  filtered: 'content_filter',
};

/** Returns a model whose calls are recorded as spans. */
export function traceModel(
  model: Model,
  call: { readonly model: ModelConfig; readonly sessionId: string },
  services: TraceServices,
): Model {
  return {
    async *run(request, signal) {
      const span = startModelSpan(call.model, call.sessionId);
      if (!span) {
        yield* model.run(request, signal);
        return;
      }
      const recorder = new CallRecorder(span, request, services);
      const events = span.within(() => model.run(request, signal)[Symbol.asyncIterator]());
      try {
        for (;;) {
          // Each step, because the caller of `next` determines the context of a generator.
          const { done, value } = await span.within(() => events.next());
          if (done) return;
          recorder.add(value);
          yield value;
        }
      } catch (error) {
        span.fail(errorTypeOf(error));
        throw error;
      } finally {
        await events.return?.();
        recorder.end();
      }
    },
  };
}

function startModelSpan(model: ModelConfig, sessionId: string): TraceSpan | undefined {
  const isRemote = 'model' in model;
  const name = isRemote ? model.model : model.provider;
  return startSpan(`chat ${name}`, {
    kind: 'client',
    attributes: {
      [names.operation]: 'chat',
      [names.provider]: model.provider,
      [names.requestModel]: name,
      [names.requestStream]: true,
      [names.conversation]: sessionId,
      ...(isRemote && addressAttributes(new URL(model.base_url))),
      ...(isRemote &&
        model.max_output_tokens && { [names.requestMaxTokens]: model.max_output_tokens }),
    },
  });
}

function errorTypeOf(error: unknown): string {
  if (!(error instanceof ModelError)) return error instanceof Error ? error.name : '_OTHER';
  return error.reason.status === undefined ? error.kind : String(error.reason.status);
}

/** Collects the attributes of a call from its events. */
class CallRecorder {
  readonly #span: TraceSpan;
  readonly #request: ModelRequest;
  readonly #clock: Clock;
  /** Whether the texts of messages are recorded. */
  readonly #hasContent: boolean;
  readonly #startedAt: number;
  #hasOutput = false;
  #finish: string | null = null;
  readonly #output = { reasoning: '', text: '' };
  readonly #toolCalls: object[] = [];

  constructor(span: TraceSpan, request: ModelRequest, { clock, config }: TraceServices) {
    this.#span = span;
    this.#request = request;
    this.#clock = clock;
    this.#hasContent = config.telemetry.content && span.isRecording;
    this.#startedAt = clock.now();
  }

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text':
      case 'thinking':
        this.#recordFirstChunk();
        if (this.#hasContent)
          this.#output[event.type === 'text' ? 'text' : 'reasoning'] += event.text;
        break;
      case 'tool_call':
        this.#recordFirstChunk();
        this.#toolCalls.push({ type: 'tool_call', name: event.name, arguments: event.input });
        break;
      case 'usage':
        this.#span.set({
          [names.inputTokens]: event.usage.inputTokens,
          [names.outputTokens]: event.usage.outputTokens,
        });
        break;
      case 'finish':
        this.#finish = finishReasons[event.reason] ?? event.reason;
        this.#span.set({ [names.finishReasons]: [this.#finish] });
        break;
    }
  }

  end(): void {
    if (this.#hasContent) {
      const { system, messages } = this.#request;
      const parts = [
        ...textPart(this.#output.reasoning, 'reasoning'),
        ...textPart(this.#output.text),
        ...this.#toolCalls,
      ];
      const answer = { role: 'assistant', parts, finish_reason: this.#finish ?? 'error' };
      this.#span.set({
        [names.systemInstructions]: JSON.stringify(textPart(system)),
        [names.inputMessages]: JSON.stringify(messages.map(toRecordedMessage)),
        [names.outputMessages]: JSON.stringify([answer]),
      });
    }
    this.#span.end();
  }

  #recordFirstChunk(): void {
    if (this.#hasOutput) return;
    this.#hasOutput = true;
    this.#span.set({ [names.timeToFirstChunk]: (this.#clock.now() - this.#startedAt) / 1000 });
  }
}

const textPart = (content: string, type = 'text') => (content === '' ? [] : [{ type, content }]);

/** A message in the form of `gen_ai.input.messages`, without the bytes of images. */
function toRecordedMessage(message: ModelMessage): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: message.content.map(toRecordedPart) };
    case 'assistant':
      return {
        role: 'assistant',
        parts: [
          ...textPart(message.text),
          ...message.toolCalls.map(({ id, name, input }) => ({
            type: 'tool_call',
            id,
            name,
            arguments: input,
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: message.toolCallId, response: message.text }],
      };
  }
}

function toRecordedPart(part: ModelContent): object {
  return part.type === 'text'
    ? { type: 'text', content: part.text }
    : { type: 'image', mime_type: part.mimeType };
}
