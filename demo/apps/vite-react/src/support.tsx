import type { ClientTools } from '@inlay/elements';
import { InlayChat } from '@inlay/react';
import { useState } from 'react';

/** Tools of this page, which the agent can call. */
const tools: ClientTools = { get_page_info: () => ({ title: document.title }) };

export function Support() {
  const [answers, setAnswers] = useState(0);
  return (
    <>
      <h1>Help</h1>
      <p>Answers on this page: {answers}</p>
      <InlayChat
        baseUrl={import.meta.env.VITE_INLAY_URL ?? 'http://localhost:8787'}
        tokenUrl="/api/chat-token"
        tools={tools}
        style={{ display: 'block', height: '32rem' }}
        onAnswer={({ detail }) => {
          if (detail.progress === 'done') setAnswers((count) => count + 1);
        }}
      />
    </>
  );
}
