import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { InlayChat } from './chat.ts';
import { InlayLauncher } from './launcher.ts';

describe('the React components', () => {
  it('render their tags on a server, without a window', () => {
    const html = renderToString(
      <>
        <InlayChat heading="Ask us" getToken={async () => null} onReady={() => undefined} />
        <InlayLauncher />
      </>,
    );

    expect(html).toContain('<inlay-chat');
    expect(html).toContain('<inlay-launcher');
    expect(html).not.toContain('getToken');
  });
});
