import { css, type LitElement } from 'lit';
import { token } from '../theme/tokens.ts';
import { addStyles } from './add-styles.ts';

const styles = css`
  .listening {
    background: ${token('color-accent-soft')};
    color: ${token('color-accent-text')};
    animation: listen ${token('duration-loop')} ease-in-out infinite;
  }

  @keyframes listen {
    50% {
      background: transparent;
    }
  }
`;

/** The used subset of the Web Speech API, which TypeScript's DOM library lacks. */
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
  /** Receives the whole transcript so far. It may change until the end. */
  readonly onText: (text: string) => void;
  /** Called at the end. `denied`: the user or the page does not allow the microphone. */
  readonly onEnd: (reason: 'done' | 'denied' | 'failed') => void;
}

/** Starts speech recognition. Browsers require a user gesture and ask for permission. */
export function dictate(
  host: LitElement,
  { language, onText, onEnd }: DictationOptions,
): {
  /** Stops recognition; a last result may still arrive. */
  readonly stop: () => void;
  /** Aborts recognition and drops further results. */
  readonly abort: () => void;
} {
  const Class = recognitionClass();
  if (!Class) throw new Error('This browser has no speech recognition.');
  addStyles(host, styles);
  const recognition = new Class();
  const ended = new AbortController();
  const { signal } = ended;
  let reason: Parameters<typeof onEnd>[0] = 'done';
  recognition.lang = language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.addEventListener(
    'result',
    (event) => {
      const { results } = event as RecognitionEvent;
      const transcripts = Array.from(results, (result) => result[0]?.transcript ?? '');
      onText(transcripts.join('').trim());
    },
    { signal },
  );
  recognition.addEventListener(
    'error',
    (event) => {
      const { error } = event as Event & { readonly error?: string };
      // Silence and an abort are not failures.
      if (error === 'no-speech' || error === 'aborted') return;
      reason = error === 'not-allowed' || error === 'service-not-allowed' ? 'denied' : 'failed';
    },
    { signal },
  );
  recognition.addEventListener(
    'end',
    () => {
      ended.abort();
      onEnd(reason);
    },
    { signal },
  );
  recognition.start();
  return {
    stop: () => recognition.stop(),
    abort: () => {
      ended.abort();
      recognition.abort();
    },
  };
}
