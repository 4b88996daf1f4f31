/**
 * Records a session with the real server for the client's tests of disconnects:
 *
 *   node --conditions=source --import tsx e2e/recording/main.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { record } from './record.ts';

const outputUrl = new URL(
  '../../packages/client/src/lib/disconnects/recording.json',
  import.meta.url,
);
const recording = await record();
mkdirSync(new URL('.', outputUrl), { recursive: true });
writeFileSync(outputUrl, `${JSON.stringify(recording, null, 2)}\n`);
const frames = recording.steps.filter((step) => step.do === 'frame');
const frameBytes = Buffer.byteLength(frames.map(({ text }) => text).join(''));
process.stdout.write(
  `${fileURLToPath(outputUrl)}: ${recording.steps.length} steps, ${frames.length} frames of ${frameBytes} bytes\n`,
);
