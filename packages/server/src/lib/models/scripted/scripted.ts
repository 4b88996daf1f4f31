import { type Clock, sleep } from '../../ports/clock.ts';
import { estimateUsage } from '../estimate-usage.ts';
import {
  type Model,
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
} from '../model.ts';
import { demoScript } from './demo-script.ts';
import { type ScriptSettings, type ScriptStep, stepsOfRound } from './script.ts';

export interface ScriptedOptions extends ScriptSettings {
  readonly clock: Clock;
}

/** A model without a model: deterministic and offline, for demos and tests. */
export function createScripted(options: ScriptedOptions): Model {
  return {
    async *run(request, signal) {
      if (options.firstDelayMs > 0) await sleep(options.clock, options.firstDelayMs, signal);
      if (options.fail) {
        throw new ModelError('the scripted model was told to fail', { retryable: true });
      }
      const turn = readTurn(request.messages);
      const { script, pace } = options.script
        ? { script: options.script, pace: 1 }
        : demoScript(turn.text);
      const delay = options.delayMs * pace;
      let output = '';
      let calls = 0;

      for (const step of stepsOfRound(script, turn.round)) {
        if (signal.aborted) return;
        if (step.when && step.when !== turn.outcome) continue;
        for await (const event of perform(step, { request, turn, delay, signal })) {
          if (signal.aborted) return;
          if (event.type === 'tool_call') calls += 1;
          else output += event.text;
          yield event;
        }
      }
      if (signal.aborted) return;
      yield { type: 'usage', usage: { ...estimateUsage(request, output), estimated: false } };
      yield { type: 'finish', reason: calls > 0 ? 'tool_calls' : 'end' };
    },
  };

  type Produced = Extract<ModelEvent, { type: 'text' | 'thinking' | 'tool_call' }>;

  async function* perform(
    step: ScriptStep,
    context: { request: ModelRequest; turn: Turn; delay: number; signal: AbortSignal },
  ): AsyncGenerator<Produced> {
    const { request, turn, delay, signal } = context;
    if ('wait_ms' in step) {
      await sleep(options.clock, step.wait_ms, signal);
    } else if ('fail' in step) {
      throw new ModelError(step.fail, { retryable: step.retryable });
    } else if ('call' in step) {
      if (request.tools.some((tool) => tool.name === step.call)) {
        yield { type: 'tool_call', name: step.call, input: step.input };
      } else {
        yield { type: 'text', text: `This agent has no tool named \`${step.call}\`.` };
      }
    } else {
      const type = 'say' in step ? 'text' : 'thinking';
      const template = 'say' in step ? step.say : step.think;
      for (const fragment of fragments(fill(template, turn))) {
        yield { type, text: fragment };
        if (delay > 0) await sleep(options.clock, delay, signal);
        if (signal.aborted) return;
      }
    }
  }
}

/** What the person said last, and what has happened since. */
interface Turn {
  readonly text: string;
  readonly round: number;
  readonly result: string;
  readonly outcome: 'ok' | 'error';
}

function readTurn(messages: readonly ModelMessage[]): Turn {
  const start = messages.findLastIndex((message) => message.role === 'user');
  const said = messages[start];
  const since = messages.slice(start + 1);
  const result = since.findLast((message) => message.role === 'tool');
  return {
    text:
      said?.role === 'user'
        ? said.content
            .map((part) => (part.type === 'text' ? part.text : ''))
            .join(' ')
            .trim()
        : '',
    round: since.filter((message) => message.role === 'assistant' && message.toolCalls.length > 0)
      .length,
    result: result?.text ?? '',
    outcome: result?.isError ? 'error' : 'ok',
  };
}

function fill(template: string, turn: Turn): string {
  return template.replaceAll(/\{(text|result)\}/g, (_, name: string) =>
    name === 'text' ? turn.text : turn.result,
  );
}

/** About the size of a token: a word with the space before it, and never half a character. */
function fragments(text: string): string[] {
  return text.match(/\s*\S{1,12}|\s+$/gu) ?? [];
}
