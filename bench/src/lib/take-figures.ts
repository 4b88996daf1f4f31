import { stripVTControlCharacters } from 'node:util';
import type { BenchOptions, Figure } from './figure.ts';
import type { Outcome } from './report.ts';

/** Takes the figures sequentially. Reports a failed figure and continues with the others. */
export async function* takeFigures(
  figures: readonly Figure[],
  options: BenchOptions,
): AsyncGenerator<Outcome> {
  for (const figure of figures) {
    const started = Date.now();
    console.error(`▶ ${figure.name}`);
    const outcome = await takeFigure(figure, options);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.error(
      outcome.failure === null
        ? `✔ ${figure.name}, ${seconds} s`
        : `✘ ${figure.name} COULD NOT BE TAKEN, ${seconds} s: ${outcome.failure}`,
    );
    yield outcome;
  }
}

async function takeFigure(figure: Figure, options: BenchOptions): Promise<Outcome> {
  const { name, title } = figure;
  try {
    const { rows, notes } = await figure.take(options);
    return { name, title, rows, notes, failure: null };
  } catch (error) {
    return { name, title, rows: [], notes: [], failure: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  // Removes the colours of build tools.
  return stripVTControlCharacters(error instanceof Error ? error.message : String(error));
}
