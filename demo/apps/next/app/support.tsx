'use client';

import type { ClientTools } from '@inlay/elements';
import { InlayChat } from '@inlay/react';
import { useState } from 'react';

/** Tools of this page, which the agent can call. */
const tools: ClientTools = { get_page_info: () => ({ title: document.title }) };

/** A client component, because tools and event listeners are functions. */
export function Support({ baseUrl }: { baseUrl: string }) {
  const [answers, setAnswers] = useState(0);
  return (
    <>
      <p>Answers on this page: {answers}</p>
      <InlayChat
        baseUrl={baseUrl}
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
