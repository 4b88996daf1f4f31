/**
 * Draws a picture into a canvas, cut to its square. Not as an image with an address: a strict
 * Content Security Policy has no room for `blob:`. A picture that can't be read leaves the canvas
 * hidden, and what stands behind it in view.
 */
export async function drawThumbnail(canvas: HTMLCanvasElement, file: Blob): Promise<void> {
  canvas.dataset.drawn = '';
  canvas.hidden = true;
  try {
    const bitmap = await createImageBitmap(file);
    const side = Math.min(bitmap.width, bitmap.height);
    const edge = 40 * Math.ceil(devicePixelRatio);
    canvas.width = edge;
    canvas.height = edge;
    canvas
      .getContext('2d')
      ?.drawImage(
        bitmap,
        (bitmap.width - side) / 2,
        (bitmap.height - side) / 2,
        side,
        side,
        0,
        0,
        edge,
        edge,
      );
    bitmap.close();
    canvas.hidden = false;
  } catch {
    // The browser can't read this kind of picture. The platform still may.
  }
}
