import type { Answer } from '../answers/answer.ts';
import { answerNames, findAnswer } from '../answers/catalogue.ts';
import { defaultOptions, type ReplayOptions } from '../stream/options.ts';
import { ApiError } from './api-error.ts';
import { type ModelName, ModelNameError, readModelName } from './model-name.ts';

/** Options of `use()`, which override the options of the model name. */
export interface ReplayControl extends Partial<ReplayOptions> {
  /** Name of an answer of the catalogue, or a custom answer. */
  readonly answer?: string | Answer;
}

export interface Selected {
  readonly answer: Answer;
  readonly options: ReplayOptions;
}

/** Selects the answer and its options, and counts the remaining faults. */
export class Selection {
  #control: ReplayControl = {};
  readonly #failures = new Map<string, number>();

  use(control: ReplayControl): void {
    if (typeof control.answer === 'string' && !findAnswer(control.answer)) {
      throw new RangeError(
        `There is no answer "${control.answer}"; use one of ${answerNames.join(', ')}`,
      );
    }
    this.#control = control;
    this.#failures.clear();
  }

  select(model: string): Selected {
    const { answer: own, ...laid } = this.#control;
    const name = read(model);
    const answer = typeof own === 'object' ? own : findAnswer(own ?? name?.answer ?? '');
    if (!name || !answer) {
      throw new ApiError(404, `The model "${model}" does not exist; GET /v1/models lists them.`, {
        param: 'model',
        code: 'model_not_found',
      });
    }
    const options = { ...defaultOptions, ...name.options, ...laid };
    if (options.fault === null) return { answer, options };

    const failed = this.#failures.get(model) ?? 0;
    if (failed >= options.times) return { answer, options: { ...options, fault: null } };
    this.#failures.set(model, failed + 1);
    return { answer, options };
  }
}

function read(model: string): ModelName | null {
  try {
    return readModelName(model);
  } catch (error) {
    if (!(error instanceof ModelNameError)) throw error;
    throw new ApiError(400, error.message, { param: 'model', code: 'invalid_value' });
  }
}
