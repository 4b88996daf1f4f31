/** What of the Web Speech API is used here. TypeScript's DOM library does not know it. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

interface RecognitionEvent extends Event {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>>;
}

type RecognitionClass = new () => Recognition;

function recognitionClass(): RecognitionClass | null {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as unknown as Record<
    string,
    RecognitionClass | undefined
  >;
  return SpeechRecognition ?? webkitSpeechRecognition ?? null;
}

export interface DictationOptions {
  /** BCP 47 tag of the language that is spoken. */
  readonly language: string;
  /** Everything heard so far. It may still change until the end. */
  readonly onText: (text: string) => void;
  /** It is over. `denied`: the person or the page allows no microphone. */
  readonly onEnd: (reason: 'done' | 'denied' | 'failed') => void;
}

/** Writes down what is said until it is stopped. Begun by a press of the person: browsers ask. */
export function dictate({ language, onText, onEnd }: DictationOptions): {
  /** Ends it; the last words may still come. */
  readonly stop: () => void;
  /** Ends it, and nothing comes any more. */
  readonly abort: () => void;
} {
  const Class = recognitionClass();
  if (!Class) throw new Error('This browser has no speech recognition.');
  const recognition = new Class();
  const over = new AbortController();
  const { signal } = over;
  let reason: Parameters<typeof onEnd>[0] = 'done';
  recognition.lang = language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.addEventListener(
    'result',
    (event) => {
      const { results } = event as RecognitionEvent;
      const heard = Array.from(results, (result) => result[0]?.transcript ?? '');
      onText(heard.join('').trim());
    },
    { signal },
  );
  recognition.addEventListener(
    'error',
    (event) => {
      const { error } = event as Event & { readonly error?: string };
      // Silence is nobody's failure.
      if (error === 'no-speech' || error === 'aborted') return;
      reason = error === 'not-allowed' || error === 'service-not-allowed' ? 'denied' : 'failed';
    },
    { signal },
  );
  recognition.addEventListener(
    'end',
    () => {
      over.abort();
      onEnd(reason);
    },
    { signal },
  );
  recognition.start();
  return {
    stop: () => recognition.stop(),
    abort: () => {
      over.abort();
      recognition.abort();
    },
  };
}
