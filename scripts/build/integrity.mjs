/** Prints the Subresource Integrity hash of `inlay.js`, for host pages that pin a version. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const server = new URL('../../packages/server/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', server), 'utf8'));
const hash = createHash('sha384').update(readFileSync(new URL('web/inlay.js', server)));

console.log(`/v/${version}/inlay.js has integrity="sha384-${hash.digest('base64')}"`);
