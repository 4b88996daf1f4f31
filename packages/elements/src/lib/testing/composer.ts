import type { InlayComposer } from '../composer/composer.ts';
import { mount } from './fixture.ts';
import { deepAll, User } from './user.ts';

type Submitted = HTMLElementEventMap['inlay-submit-request']['detail'];

/** A composer on the page, what it sends, and somebody who writes in it. */
export async function setupComposer(properties: Partial<InlayComposer> = {}) {
  const element = mount(Object.assign(document.createElement('inlay-composer'), properties));
  const sent: Submitted[] = [];
  element.addEventListener('inlay-submit-request', ({ detail }) => sent.push(detail));
  await element.updateComplete;
  const user = new User(element);
  const type = async (text: string) => {
    user.type(text);
    await element.updateComplete;
  };
  const options = () => deepAll(element, '[role=option]');
  return { element, user, type, sent, options };
}
