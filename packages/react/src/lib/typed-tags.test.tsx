/** Type tests for the custom element tags in TSX without the wrapper, checked by the compiler. */

import type { InlayChat } from '@inlay/elements';
import type {} from '@inlay/elements/jsx';
import { createRef } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';

describe('the element tags in TSX', () => {
  it('accept properties, attributes, events, slots and a ref, and render no attribute for an object or a function', () => {
    const chat = createRef<InlayChat>();
    const html = renderToString(
      <>
        <inlay-chat
          ref={chat}
          className="chat"
          base-url="https://chat.example"
          heading="Ask us"
          no-resume
          commands={[{ name: 'help', description: 'Help' }]}
          strings={{ send: 'Go' }}
          getToken={async () => null}
          oninlay-error={(event) => event.detail.code.toUpperCase()}
        >
          <p slot="greeting">Hello</p>
        </inlay-chat>
        <inlay-launcher
          teaser="Any questions?"
          teaser-delay={3}
          oninlay-open={() => undefined}
          oninlay-answer={(event) => event.detail.text.trim()}
        />
      </>,
    );

    expect(html).toContain('<inlay-chat class="chat" base-url="https://chat.example"');
    expect(html).not.toMatch(/object Object|\[object|function|=>/);
  });

  it('do not compile with a wrong value, an unknown option, or an unknown member of an event detail', () => {
    const createInvalidTags = () => [
      // @ts-expect-error: `heading` must be a string.
      <inlay-chat key="1" heading={1} />,
      // @ts-expect-error: `baseUri` is not an option.
      <inlay-chat key="2" baseUri="https://chat.example" />,
      // @ts-expect-error: the event detail has no `codes`.
      <inlay-chat key="3" oninlay-error={(event) => event.detail.codes} />,
      // @ts-expect-error: `huge` is not a density.
      <inlay-launcher key="4" density="huge" />,
    ];

    expect(createInvalidTags).toBeTypeOf('function');
  });
});
