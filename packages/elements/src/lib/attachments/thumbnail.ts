/**
 * Draws an image into a canvas, cropped to a square. A canvas needs no `blob:` URL, which a strict
 * Content Security Policy forbids. If the image can't be decoded, the canvas stays hidden.
 */
export async function drawThumbnail(canvas: HTMLCanvasElement, file: Blob): Promise<void> {
  canvas.dataset.drawn = '';
  canvas.hidden = true;
  try {
    const bitmap = await createImageBitmap(file);
    const cropSize = Math.min(bitmap.width, bitmap.height);
    const size = 40 * Math.ceil(devicePixelRatio);
    canvas.width = size;
    canvas.height = size;
    canvas
      .getContext('2d')
      ?.drawImage(
        bitmap,
        (bitmap.width - cropSize) / 2,
        (bitmap.height - cropSize) / 2,
        cropSize,
        cropSize,
        0,
        0,
        size,
        size,
      );
    bitmap.close();
    canvas.hidden = false;
  } catch {
    // The browser doesn't support the format. The platform may still accept it.
  }
}
