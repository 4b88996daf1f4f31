/** Two notes, a fourth apart, in hertz; and when each begins, in seconds. */
const notes = [
  [587.33, 0],
  [783.99, 0.12],
] as const;
/** How long a note rings, in seconds. */
const ring = 0.4;
/** The loudest that a note gets, of 1. */
const loudness = 0.06;

/** Writes a short, quiet chime into an audio context, to begin now. */
export function writeChime(context: BaseAudioContext): void {
  for (const [frequency, delay] of notes) {
    const start = context.currentTime + delay;
    const note = context.createOscillator();
    const volume = context.createGain();
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(loudness, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + ring);
    note.connect(volume).connect(context.destination);
    note.start(start);
    note.stop(start + ring);
  }
}

let context: AudioContext | null = null;

/** Plays the chime where the browser lets a page be heard: after the user has touched it. */
export async function playChime(): Promise<void> {
  try {
    if (navigator.userActivation?.hasBeenActive === false) return;
    context ??= new AudioContext();
    await context.resume();
    writeChime(context);
  } catch {
    // A browser without sound, or one that forbids it.
  }
}
