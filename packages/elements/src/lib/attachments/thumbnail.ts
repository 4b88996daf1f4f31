/** Height and width of a thumbnail on a touch screen, in CSS pixels. */
const thumbnailSize = 96;

/**
 * Draws an image into a canvas, cropped to a square. A canvas needs no `blob:` URL, which a strict
 * Content Security Policy forbids.
 *
 * @returns False if the image can't be decoded. The platform may still accept it.
 */
export async function drawThumbnail(canvas: HTMLCanvasElement, file: Blob): Promise<boolean> {
  const size = thumbnailSize * Math.ceil(devicePixelRatio);
  try {
    // Scaled while it is decoded: a bitmap of a picture of 12,000 pixels takes half a gigabyte.
    const bitmap = await createImageBitmap(file, {
      resizeHeight: 2 * size,
      resizeQuality: 'medium',
    });
    const { width, height } = bitmap;
    const cropSize = Math.min(width, height);
    canvas.width = size;
    canvas.height = size;
    canvas
      .getContext('2d')
      ?.drawImage(
        bitmap,
        (width - cropSize) / 2,
        (height - cropSize) / 2,
        cropSize,
        cropSize,
        0,
        0,
        size,
        size,
      );
    bitmap.close();
    return true;
  } catch {
    return false;
  }
}
