/** Declarations for the code blocks of the guides: code of the reader, and frameworks. */

declare const yourSession: (
  request: Request,
) => Promise<{ id: string; name: string; plan: string } | null>;
declare const user: { id: string };
declare const chat: import('@inlay/elements').InlayChat;
declare const accessToken: () => Promise<string>;
declare const platform: import('@inlay/node').PlatformClient;
declare const conversation: import('@inlay/client').Conversation;
declare const render: (state: import('@inlay/client').ConversationState) => void;

/** Nuxt's auto-imports. */
declare const defineNuxtConfig: (config: {
  compatibilityDate?: string;
  vue: { compilerOptions: { isCustomElement: (tag: string) => boolean } };
}) => object;
declare const defineEventHandler: (
  handler: (event: object) => Response | Promise<Response>,
) => object;
declare const toWebRequest: (event: object) => Request;

/** The application of an Express server. */
declare const app: {
  post: (
    path: string,
    handler: (
      request: import('node:http').IncomingMessage,
      response: import('node:http').ServerResponse,
    ) => void,
  ) => void;
};

declare module '$lib/server/chat-token' {
  export const POST: (request: Request) => Promise<Response>;
}
declare module '$env/dynamic/private' {
  export const env: { readonly INLAY_API_KEY?: string };
}
declare module '@angular/core' {
  export const CUSTOM_ELEMENTS_SCHEMA: { readonly name: string };
  export function Component(metadata: {
    selector: string;
    imports?: readonly object[];
    schemas?: readonly object[];
    template: string;
    styles?: string;
  }): ClassDecorator;
}
declare module '@vitejs/plugin-react' {
  // biome-ignore lint/style/noDefaultExport: the plugin has one.
  export default function react(): import('vite').Plugin;
}
declare module '@vitejs/plugin-vue' {
  // biome-ignore lint/style/noDefaultExport: the plugin has one.
  export default function vue(options: {
    template: { compilerOptions: { isCustomElement: (tag: string) => boolean } };
  }): import('vite').Plugin;
}
