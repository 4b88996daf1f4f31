/**
 * `npm run docs films`: films the motions of the widget on a page of the demo, as animated WebP files in
 * `docs/images`. Each frame shows the animations at a fixed time, so that the films do not depend on the
 * speed of the machine.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';
import { startDemo } from './demo.mjs';
import { animatedWebp } from './webp.mjs';

const images = fileURLToPath(new URL('../images', import.meta.url));
/** Duration of a frame, in milliseconds; the films are slower than the motions by the factor `slowness`. */
const frameDuration = 70;
const slowness = 2;
/** Duration of the first and the last frame of a motion. */
const rest = 900;

const open = (page) => page.getByRole('button', { name: 'Open chat' }).click();

/** Films by name: the part of the page that they show, the state before, and the motions. */
const films = {
  'motion-arrive-leave': {
    clip: { x: 580, y: 0, width: 440, height: 560 },
    motions: [
      (page) => page.evaluate(() => document.querySelector('inlay-launcher').show()),
      (page) => page.evaluate(() => document.querySelector('inlay-launcher').hide()),
    ],
  },
  'motion-settle': {
    clip: { x: 580, y: 320, width: 440, height: 240 },
    motions: [
      (page) => page.evaluate(addBar),
      (page) => page.evaluate(() => document.body.lastElementChild.remove()),
    ],
  },
  'motion-answer': {
    clip: { x: 580, y: 0, width: 440, height: 240 },
    before: open,
    motions: [(page) => page.getByRole('button', { name: 'More', exact: true }).click()],
  },
};

const demo = await startDemo();
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
// A page without the demo's content security policy.
const converter = await browser.newPage();
try {
  for (const [name, film] of Object.entries(films)) {
    const page = await browser.newPage({ viewport: { width: 1020, height: 560 } });
    await page.request.post(`${demo.host}/login`, { data: { id: 'ada' } });
    await page.goto(`${demo.host}/script-tag`);
    await page.evaluate(() => window.inlay.launcher());
    await open(page);
    await page.getByRole('textbox', { name: /message/i }).waitFor();
    if (!film.before) await page.evaluate(() => document.querySelector('inlay-launcher').hide());
    // The checks for obstacles, which follow each change for 1.5 s, have ended.
    await page.waitForTimeout(2_000);
    writeFileSync(join(images, `${name}.webp`), await takeFilm(page, film));
    await page.close();
  }
} finally {
  await browser.close();
  await demo.stop();
}

/** In the page: adds a bar as cookie tools do. */
function addBar() {
  const bar = document.body.appendChild(document.createElement('div'));
  bar.style.cssText = 'position: fixed; inset: auto 0 0; block-size: 84px; background: #24262b';
}

async function takeFilm(page, { clip, motions }) {
  const frames = [];
  const take = async (duration) => {
    frames.push({ duration, image: await toWebp(await page.screenshot({ clip })) });
  };
  await page.evaluate(pauseAnimations);
  for (const motion of motions) {
    await take(rest);
    await motion(page);
    const end = await page.waitForFunction(() => window.pausedAnimations.end);
    const step = frameDuration / slowness;
    for (let time = 0; time < (await end.jsonValue()); time += step) {
      await page.evaluate((now) => window.pausedAnimations.seek(now), time);
      await take(frameDuration);
    }
    await page.evaluate(() => window.pausedAnimations.finish());
  }
  await take(rest);
  return animatedWebp(frames, clip);
}

/** In the page: pauses each animation of the launcher as soon as it starts. */
function pauseAnimations() {
  let paused = [];
  const layer = document.querySelector('inlay-launcher').shadowRoot.querySelector('.layer');
  const watch = () => {
    const chat = layer.querySelector('inlay-chat');
    const roots = [
      layer,
      ...(chat ? [chat.shadowRoot.host, ...chat.shadowRoot.querySelectorAll('*')] : []),
    ];
    const animations = roots
      .flatMap((root) => [
        ...root.getAnimations({ subtree: true }),
        ...(root.shadowRoot?.getAnimations() ?? []),
      ])
      .filter(({ effect }) => effect.getComputedTiming().iterations === 1);
    for (const animation of animations) {
      if (paused.includes(animation)) continue;
      animation.pause();
      animation.currentTime = 0;
      paused.push(animation);
    }
    requestAnimationFrame(watch);
  };
  const endOf = ({ effect }) => effect.getComputedTiming().endTime;
  window.pausedAnimations = {
    get end() {
      return Math.max(0, ...paused.map(endOf));
    },
    seek(time) {
      // An animation that reaches its end would be removed.
      for (const each of paused) each.currentTime = Math.min(time, endOf(each) - 1);
    },
    finish() {
      for (const each of paused) each.finish();
      paused = [];
    },
  };
  watch();
}

/** Converts a PNG to WebP with the encoder of the browser. */
async function toWebp(png) {
  const url = await converter.evaluate(
    async (source) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = Object.assign(document.createElement('canvas'), {
        width: bitmap.width,
        height: bitmap.height,
      });
      canvas.getContext('2d').drawImage(bitmap, 0, 0);
      return canvas.toDataURL('image/webp', 0.5);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  return Buffer.from(url.split(',')[1], 'base64');
}
