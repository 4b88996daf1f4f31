import { type InlayChat, languages } from '@inlay/elements';

/** Renders the settings form, and applies changes to the chat without a reload. */
export function startSettings(form: HTMLFormElement, chat: InlayChat): void {
  const language = labelledSelect('Language', ['en', ...languages.filter((each) => each !== 'en')]);
  const density = labelledSelect('Density', ['cosy', 'compact', 'roomy']);
  const colorScheme = labelledSelect('Colours', ['auto', 'light', 'dark']);
  const follow = labelledSelect('Scroll behaviour', ['question-top', 'bottom', 'off']);
  const announce = labelledSelect('Announcements', ['sentences', 'answers', 'brief', 'off']);

  form.append(...[language, density, colorScheme, follow, announce].map(({ label }) => label));
  form.addEventListener('input', () => {
    chat.configure({
      language: language.value,
      density: density.value,
      colorScheme: colorScheme.value,
      follow: follow.value,
      announce: announce.value,
    });
  });
}

/** A select with a label. The first value is selected initially. */
function labelledSelect<const Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
) {
  const select = document.createElement('select');
  select.className = 'field';
  select.append(...values.map((value) => new Option(value)));
  const label = document.createElement('label');
  label.append(name, select);
  return {
    label,
    get value(): Value {
      return values.find((value) => value === select.value) ?? values[0];
    },
  };
}
