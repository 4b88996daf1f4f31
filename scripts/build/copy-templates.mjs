/** Part of the `prepack` script of `create-inlay`: copies the example applications into the package. */
import { cpSync, rmSync } from 'node:fs';

rmSync('templates', { recursive: true, force: true });
for (const folder of ['apps', 'backends']) {
  cpSync(`../../demo/${folder}`, `templates/${folder}`, {
    recursive: true,
    filter: (path) => !/\/(node_modules|dist|package-lock\.json|README\.md|\.\w+)$/.test(path),
  });
}
