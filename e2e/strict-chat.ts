import type { Page } from '@playwright/test';
import { servePage } from './built-page.ts';
import { ChatPage } from './chat-page.ts';
import type { Site } from './site.ts';

/** Opens the chat of `e2e/pages/strict-chat.tsx` on a page of the host, for the signed-in user. */
export async function openStrictChat(page: Page, site: Site, path: string): Promise<ChatPage> {
  await servePage(page, `${site.host}${path}`, 'strict-chat');
  await page.goto(`${site.host}${path}`);
  await mountStrictChat(page, site);
  const chat = new ChatPage(page);
  await chat.ready();
  return chat;
}

/** Unmounts the mounted version of the app, if there is one, and mounts the given version. */
export function mountStrictChat(page: Page, site: Site, version = 1): Promise<void> {
  return page.evaluate(
    async ([address, baseUrl]) => {
      const state = window as unknown as { unmount?: () => void };
      const { mount } = (await import(String(address))) as {
        mount(baseUrl: string | undefined): () => void;
      };
      state.unmount?.();
      state.unmount = mount(baseUrl);
    },
    [`/strict-chat.js?version=${version}`, site.platform],
  );
}
