/** Has the browser save something as a file, as a download does. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has its own hold on the data as soon as it has begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
