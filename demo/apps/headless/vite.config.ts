import { defineConfig } from 'vite';

export default defineConfig({
  // During development, Vite serves the page and forwards requests for tokens to server.ts.
  server: { proxy: { '/api': 'http://localhost:3000' } },
});
