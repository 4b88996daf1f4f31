import { type Clock, sleep } from '../../clock.ts';
import { estimateUsage } from '../estimate-usage.ts';
import {
  type Model,
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
} from '../model.ts';
import { chooseScript } from './choose-script.ts';
import { type ScriptSettings, type ScriptStep, stepsOfRound } from './script.ts';

export interface ScriptedOptions extends ScriptSettings {
  readonly clock: Clock;
  /** The server's public URL, used in scripts. */
  readonly baseUrl: string;
}

/** Creates a deterministic model for demos and tests that needs no network. */
export function createScripted(options: ScriptedOptions): Model {
  return {
    async *run(request, signal) {
      if (options.firstDelayMs > 0) await sleep(options.clock, options.firstDelayMs, signal);
      if (options.fail) {
        throw new ModelError('the scripted model is configured to fail', { retryable: true });
      }
      const turn = readTurn(request.messages);
      const { script, delayFactor } = options.script
        ? { script: options.script, delayFactor: 1 }
        : chooseScript(turn, request.tools, options);
      const delay = options.delayMs * delayFactor;
      let output = '';
      let calls = 0;
      let textLength = 0;

      for (const step of stepsOfRound(script, turn.round)) {
        if (signal.aborted) return;
        if (step.when && step.when !== turn.outcome) continue;
        for await (const event of perform(step, { request, turn, delay, signal, textLength })) {
          if (signal.aborted) return;
          if (event.type === 'tool_call') calls += 1;
          if (event.type === 'text' || event.type === 'thinking') output += event.text;
          if (event.type === 'text') textLength += event.text.length;
          yield event.type === 'citation' ? { ...event, endIndex: textLength } : event;
        }
      }
      if (signal.aborted) return;
      yield { type: 'usage', usage: { ...estimateUsage(request, output), estimated: false } };
      yield { type: 'finish', reason: calls > 0 ? 'tool_calls' : 'end' };
    },
  };

  type ProducedEvent = Extract<
    ModelEvent,
    { type: 'text' | 'thinking' | 'tool_call' | 'citation' }
  >;

  async function* perform(
    step: ScriptStep,
    context: {
      request: ModelRequest;
      turn: Turn;
      delay: number;
      signal: AbortSignal;
      /** Characters of text produced in this round. */
      textLength: number;
    },
  ): AsyncGenerator<ProducedEvent> {
    const { request, turn, delay, signal, textLength } = context;
    if ('wait_ms' in step) {
      await sleep(options.clock, step.wait_ms, signal);
    } else if ('fail' in step) {
      throw new ModelError(step.fail, { retryable: step.retryable });
    } else if ('call' in step) {
      if (request.tools.some((tool) => tool.name === step.call)) {
        const input = JSON.parse(
          JSON.stringify(step.input)
            .replaceAll('{base_url}', options.baseUrl)
            .replaceAll('{place}', placeIn(turn.text)),
        ) as Record<string, unknown>;
        yield { type: 'tool_call', name: step.call, input };
      } else {
        const gap = textLength > 0 ? '\n\n' : '';
        yield { type: 'text', text: `${gap}This agent has no tool named \`${step.call}\`.` };
      }
    } else if ('cite' in step) {
      yield { type: 'citation', ...step.cite, endIndex: null };
    } else {
      const type = 'say' in step ? 'text' : 'thinking';
      const template = 'say' in step ? step.say : step.think;
      for (const fragment of splitIntoFragments(fillTemplate(template, turn, options.baseUrl))) {
        yield { type, text: fragment };
        if (delay > 0) await sleep(options.clock, delay, signal);
        if (signal.aborted) return;
      }
    }
  }
}

/** The last user message, with the tool calls after it. */
interface Turn {
  readonly text: string;
  /** Names of the attachments. */
  readonly files: readonly string[];
  /** Number of responses with tool calls since the message. */
  readonly round: number;
  /** The last tool result; empty if there is none. */
  readonly result: string;
  readonly outcome: 'ok' | 'error';
}

/** Matches the start of an attached text file, which is not part of the user's text. */
const attachedFile = /^\[Attached file "(.*?)"/;

function readTurn(messages: readonly ModelMessage[]): Turn {
  const start = messages.findLastIndex((message) => message.role === 'user');
  const userMessage = messages[start];
  const since = messages.slice(start + 1);
  const result = since.findLast((message) => message.role === 'tool');
  const parts = userMessage?.role === 'user' ? userMessage.content : [];
  return {
    text: parts
      .map((part) => (part.type === 'text' && !attachedFile.test(part.text) ? part.text : ''))
      .join(' ')
      .trim(),
    files: parts.flatMap((part) => {
      if (part.type === 'image') return [`a picture, ${part.mimeType}`];
      const [, name] = attachedFile.exec(part.text) ?? [];
      return name ? [name] : [];
    }),
    round: since.filter((message) => message.role === 'assistant' && message.toolCalls.length > 0)
      .length,
    result: result?.text ?? '',
    outcome: result?.isError ? 'error' : 'ok',
  };
}

function fillTemplate(template: string, turn: Turn, baseUrl: string): string {
  const parts: Record<string, () => string> = {
    text: () => turn.text,
    place: () => placeIn(turn.text),
    result: () => turn.result,
    files: () => turn.files.map((file) => `- **${file}**`).join('\n'),
    values: () => formatValues(turn.text),
    base_url: () => baseUrl,
  };
  return template.replaceAll(
    /\{(text|place|files|result|values|base_url)\}/g,
    (placeholder, name: string) => (parts[name] ?? (() => placeholder))(),
  );
}

/** Returns the place that a question names, as in “What is the weather in Vienna?”; Lisbon by default. */
function placeIn(text: string): string {
  const [, place = 'Lisbon'] =
    /\b(?:in|at|near|to)\s+((?!the\b|an?\b|\p{Ll}+ing\b)\p{L}+(?:[ -]\p{Lu}\p{L}+)*)/u.exec(text) ??
    [];
  return place.charAt(0).toUpperCase() + place.slice(1);
}

/** Formats the values of a card action, one line per field. */
function formatValues(text: string): string {
  const json = text.slice(text.indexOf('{'));
  try {
    const { values = {} } = JSON.parse(json) as { values?: Record<string, unknown> };
    return Object.entries(values)
      .map(([name, value]) => `- ${name}: **${String(value)}**`)
      .join('\n');
  } catch {
    return '';
  }
}

/**
 * Splits a text into fragments of about one token: a word with the space before it. Never splits a
 * character.
 */
function splitIntoFragments(text: string): string[] {
  return text.match(/\s*\S{1,12}|\s+$/gu) ?? [];
}
