import { wayBack } from './way-back.ts';

/** A page with one thing to say and a way on, which `back` names. */
export function notice(title: string, text: string, back: string): HTMLElement {
  const box = document.createElement('section');
  box.className = 'notice';
  const heading = document.createElement('h1');
  heading.textContent = title;
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  box.append(heading, paragraph);
  const link = wayOn(back);
  if (link) box.append(link);
  return box;
}

/** A line under a conversation that is over. */
export function endedBar(text: string, back: string): HTMLElement {
  const bar = document.createElement('footer');
  bar.className = 'ended';
  const paragraph = document.createElement('p');
  paragraph.setAttribute('role', 'status');
  paragraph.textContent = text;
  bar.append(paragraph);
  const link = wayOn(back);
  if (link) bar.append(link);
  return bar;
}

function wayOn(back: string): HTMLElement | null {
  const address = wayBack();
  if (!address) return null;
  const link = document.createElement('a');
  link.className = 'way-on';
  link.href = address;
  link.textContent = back.replace('{host}', new URL(address).hostname);
  return link;
}
