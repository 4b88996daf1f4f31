import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildPages } from './build-pages.ts';
import { type LocalServer, serve } from './serve.ts';

/** Serves the pages on their own origin, like a host site. */
export async function startPageServer(): Promise<LocalServer> {
  const folder = await buildPages();
  return serve((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.endsWith('.js')) {
      readFile(join(folder, basename(pathname))).then(
        (code) => response.setHeader('content-type', 'text/javascript').end(code),
        () => response.writeHead(404).end(),
      );
      return;
    }
    response.setHeader('content-type', 'text/html').end(documentOf(basename(pathname)));
  });
}

/**
 * HTML of a host page. The page inserts its script after the first paint, so that no measurement includes
 * this paint. Otherwise the size of the script would decide whether the page is painted before or after
 * the download.
 */
function documentOf(name: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title>
<style>body{margin:0;font:16px/1.5 sans-serif}</style></head><body><p>A page.</p><script>
requestAnimationFrame(() => setTimeout(() => {
  performance.mark('tag');
  const script = document.createElement('script');
  script.type = 'module';
  script.src = '/${name}.js';
  document.head.append(script);
}, 100));
</script></body></html>`;
}
