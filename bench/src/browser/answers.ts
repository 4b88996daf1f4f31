const fence = '```';

/** Everything that GFM has, in the proportions of an answer that explains something technical. */
const section = (number: number) => `## ${number}. What happens at step ${number}

The request carries a **short-lived token**, and the server looks it up *each time*; see [the
standard](https://www.rfc-editor.org/rfc/rfc6750) or https://example.com/step/${number}. Nothing
stale stands between a revocation and its effect, so \`revoked_at\` is honoured at once, also where
~~a cache~~ a proxy sits in the middle. Emphasis may be **strong, _nested_ and \`coded\`**.

- the first thing to check is whether the clock of the host is right
- the second is a list in the list:
  1. one with numbers
  2. and with **marks** in it
- the third is a task list
  - [x] done already
  - [ ] still to do

| field | type | meaning |
|:------|:----:|--------:|
| \`id\` | string | names it |
| \`seq\` | integer | where it stands in the log |
| \`token\` | *secret* | shown this once |

> A quotation of what was decided, over
> two lines, with \`code\` in it.

${fence}ts
export async function step${number}(signal: AbortSignal): Promise<number> {
  const answer = await fetch('/agent/v1/sessions', { signal });
  if (!answer.ok) throw new Error(\`status \${answer.status}\`);
  return (await answer.json()).data.length; // ${number}
}
${fence}
`;

/** About as large as a model's: a word with the space before it, or a dozen characters of one. */
const token = /\s*\S{1,12}/gu;

/** Cuts an answer into tokens. */
export function toTokens(answer: string): readonly string[] {
  return answer.match(token) ?? [];
}

/** How every long answer ends. */
export const lastWords = 'That was the end.';

/** Markdown of about so many tokens: whole sections, and the last words. */
export function longAnswer(tokens: number): string {
  const each = toTokens(section(1)).length;
  const count = Math.max(1, Math.round(tokens / each));
  const sections = Array.from({ length: count }, (_, index) => section(index + 1));
  return `${sections.join('\n')}\n${lastWords}`;
}

/** One answer of a long thread, which ends in what the person asked. */
export const threadAnswer = `Here is **what to do**, in short; see [the guide](https://example.com/guide).

1. Open the *settings*
2. Choose \`Export\`

${fence}sh
inlay export --all
${fence}

You asked: {text}`;
