import type { InlayComposer } from '../composer/composer.ts';
import { mount } from './fixture.ts';
import { deepAll, User, until } from './user.ts';

type Submission = HTMLElementEventMap['inlay-submit-request']['detail'];

/** Mounts a composer; `sent` are the messages that it submitted. */
export async function setupComposer(properties: Partial<InlayComposer> = {}) {
  const element = mount(Object.assign(document.createElement('inlay-composer'), properties));
  const sent: Submission[] = [];
  element.addEventListener('inlay-submit-request', ({ detail }) => sent.push(detail));
  await element.updateComplete;
  const user = new User(element);
  if (properties.upload)
    await until('the attach button', () => user.buttons('Attach files').length > 0);
  const type = async (text: string) => {
    user.type(text);
    await element.updateComplete;
  };
  const options = () => deepAll(element, ':not([inert]) > [role=option]');
  return { element, user, type, sent, options };
}
