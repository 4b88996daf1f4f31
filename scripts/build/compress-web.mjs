/**
 * Writes a brotli and a gzip variant of each browser file that the platform serves. Runs after
 * `build-web.mjs`.
 */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const folder = fileURLToPath(new URL('../../packages/server/web', import.meta.url));
const compressible = /\.(?:js|css|svg|json)$/;
const files = readdirSync(folder, { recursive: true }).filter((name) => compressible.test(name));
await Promise.all(files.map((name) => compress(join(folder, name))));

/** @param {string} path */
async function compress(path) {
  const bytes = await readFile(path);
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const variants = await Promise.all([
    promisify(brotliCompress)(bytes, { params }).then((content) => ['.br', content]),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }).then((content) => [
      '.gz',
      content,
    ]),
  ]);
  // A variant that is not smaller would only cost decompression time.
  const smaller = variants.filter(([, content]) => content.length < bytes.length);
  await Promise.all(smaller.map(([suffix, content]) => writeFile(`${path}${suffix}`, content)));
}
