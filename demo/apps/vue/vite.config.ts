import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const isCustomElement = (tag: string) => tag.startsWith('inlay-');

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
  // During development, Vite serves the page and forwards requests for tokens to server.ts.
  server: { proxy: { '/api': 'http://localhost:3000' } },
});
