/** Long enough for every browser to begin the download, in milliseconds. */
const kept = 60_000;

/**
 * Saves a file to the user's device. It is never opened in the page: a document of the page's own
 * origin could run scripts in it.
 */
export function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), kept);
}
