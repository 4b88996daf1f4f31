/** Time after which the download has certainly started, in milliseconds. */
const revokeDelayMs = 60_000;

/**
 * Saves a file to the user's device. The file is never opened in the browser, where an HTML document
 * could run scripts in the page's origin.
 */
export function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeDelayMs);
}
