const fence = '```';

/** A section with all GFM constructs, in the proportions of a typical technical answer. */
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

/** Approximates the tokens of a model: words with the preceding space, cut after 12 characters. */
const tokenPattern = /\s*\S{1,12}/gu;

/** Cuts an answer into tokens. */
export function toTokens(answer: string): readonly string[] {
  return answer.match(tokenPattern) ?? [];
}

/** Text at the end of every long answer. */
export const endOfAnswer = 'That was the end.';

/** Creates Markdown of about `tokens` tokens: complete sections, then `endOfAnswer`. */
export function longAnswer(tokens: number): string {
  const sectionTokens = toTokens(section(1)).length;
  const count = Math.max(1, Math.round(tokens / sectionTokens));
  const sections = Array.from({ length: count }, (_, index) => section(index + 1));
  return `${sections.join('\n')}\n${endOfAnswer}`;
}

/** Answer to each message of a long conversation. The platform replaces `{text}` by the message. */
export const conversationAnswer = `Here is **what to do**, in short; see [the guide](https://example.com/guide).

1. Open the *settings*
2. Choose \`Export\`

${fence}sh
inlay export --all
${fence}

You asked: {text}`;
