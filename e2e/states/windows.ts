/** Windows for the audits. At 200 % zoom, a window has half the size in CSS pixels. */
export const windows = {
  '320 px': { width: 320, height: 640 },
  '390 px': { width: 390, height: 700 },
  '1280 px': { width: 1280, height: 800 },
  '1280 px at 200 %': { width: 640, height: 400 },
} as const;
