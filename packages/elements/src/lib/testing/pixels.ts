import { executeServerCommand } from '@web/test-runner-commands';

/** A rectangle in CSS pixels of the viewport. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Takes a screenshot of the page. */
export async function takeScreenshot(): Promise<ImageData> {
  const png = await executeServerCommand('screenshot');
  const bytes = Uint8Array.from(atob(String(png)), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = bitmap;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The engine has no canvas to read pixels from.');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/** The smallest rectangle with all pixels in which two screenshots differ; `null` for equal ones. */
export function changedArea(before: ImageData, after: ImageData): Area | null {
  const { width, height } = before;
  const pixelsBefore = new Uint32Array(before.data.buffer);
  const pixelsAfter = new Uint32Array(after.data.buffer);
  if (pixelsBefore.length !== pixelsAfter.length)
    throw new Error('The screenshots differ in size.');
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let index = 0; index < pixelsBefore.length; index += 1) {
    if (pixelsBefore[index] === pixelsAfter[index]) continue;
    const x = index % width;
    const y = Math.floor(index / width);
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  if (right === 0) return null;
  const scale = width / innerWidth;
  return { left: left / scale, top: top / scale, right: right / scale, bottom: bottom / scale };
}
