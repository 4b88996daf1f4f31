import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // During development, Vite serves the page and forwards requests for tokens to server.ts.
  server: { proxy: { '/api': 'http://localhost:3000' } },
});
