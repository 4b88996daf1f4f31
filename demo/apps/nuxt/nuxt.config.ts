export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  vue: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('inlay-') } },
  // Reports unknown options and events in templates.
  typescript: { tsConfig: { vueCompilerOptions: { strictTemplates: true } } },
  runtimeConfig: {
    // NUXT_PUBLIC_INLAY_URL overrides this value at run time.
    public: { inlayUrl: 'http://localhost:8787' },
  },
  // Nuxt 4.4.5 adds this polyfill without a source map, and warns about that.
  vite: { build: { modulePreload: { polyfill: false } } },
  app: {
    head: {
      htmlAttrs: { lang: 'en' },
      title: 'Inlay with Nuxt',
      link: [{ rel: 'icon', href: 'data:,' }],
    },
  },
});
