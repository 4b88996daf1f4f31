/** Two notes, a fourth apart: frequency in hertz and start in seconds. */
const notes = [
  [587.33, 0],
  [783.99, 0.12],
] as const;
/** Length of a note, in seconds. */
const noteDuration = 0.4;
/** Maximum gain of a note, from 0 to 1. */
const maxGain = 0.06;

/** Schedules a short, quiet chime in an audio context, starting now. */
export function scheduleChime(context: BaseAudioContext): void {
  for (const [frequency, delay] of notes) {
    const start = context.currentTime + delay;
    const note = context.createOscillator();
    const volume = context.createGain();
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(maxGain, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + noteDuration);
    note.connect(volume).connect(context.destination);
    note.start(start);
    note.stop(start + noteDuration);
  }
}

let context: AudioContext | null = null;

/** Plays the chime. Browsers allow sound only after a user gesture on the page. */
export async function playChime(): Promise<void> {
  try {
    if (navigator.userActivation?.hasBeenActive === false) return;
    context ??= new AudioContext();
    await context.resume();
    scheduleChime(context);
  } catch {
    // Web Audio is missing or blocked.
  }
}
