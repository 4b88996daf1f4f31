import { platform } from './platform.ts';

/** A source file of the demo. */
export interface CodeFile {
  name: string;
  source: string;
}

const syntax =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->)|(?<string>"[^"\n]*"|'[^'\n]*'|`[^`]*`)|(?<attribute>[\w-]+(?=="))|\b(?<keyword>import|from|export|const|let|function|async|await|return|if|new|null|type|for|of)\b/g;

/** Shows the source files of a page below its content. */
export function showCode(files: readonly CodeFile[]): void {
  const section = document.createElement('section');
  section.className = 'code';
  section.setAttribute('aria-labelledby', 'code-title');
  const title = document.createElement('h2');
  title.id = 'code-title';
  title.textContent = 'The code of this page';
  section.append(title, ...files.map(codeBlock));
  document.querySelector('main')?.append(section);
}

/** Creates a code block with a copy button. */
export function codeBlock({ name, source }: CodeFile): HTMLElement {
  const text = source.replaceAll('https://chat.example', platform).trim();
  const caption = document.createElement('figcaption');
  caption.append(name, copyButton(name, text));
  const code = document.createElement('code');
  code.append(...highlight(text));
  const pre = document.createElement('pre');
  // Scrollable regions must be reachable with the keyboard.
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', name);
  pre.append(code);
  const figure = document.createElement('figure');
  figure.append(caption, pre);
  return figure;
}

function copyButton(name: string, text: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${name}`);
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Not copied';
    button.setAttribute('aria-label', `${button.textContent}: ${name}`);
  });
  return button;
}

function highlight(text: string): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let position = 0;
  for (const match of text.matchAll(syntax)) {
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
    const span = document.createElement('span');
    span.className = kind ?? '';
    span.textContent = match[0];
    parts.push(text.slice(position, match.index), span);
    position = match.index + match[0].length;
  }
  parts.push(text.slice(position));
  return parts;
}
